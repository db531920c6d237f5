import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { EntryActions } from '../../ui/EntryActions.tsx'
import { useConfirm } from '../../ui/useConfirm.ts'
import { useSuccessToast } from '../useSuccessToast.ts'
import { useWarningToast } from '../useWarningToast.ts'
import css from './Tokens.module.css'
import type { TokenHolder } from './tokenColumns.tsx'

type Action<T> = {
  call: () => Promise<T>
  /** Of its button, for the eye and for screen readers. */
  label: string
  labelNamed: string
  question: string
  effect: string
  failed: string
}

type Props<T> = {
  holder: TokenHolder
  /** Replaces the token. */
  renew: Action<T> & { onDone: (renewed: T) => void }
  revoke: Action<unknown> & { done: string }
  /** Shown where the caller may only revoke. */
  widerRights: string
  onEdit: () => void
  onChanged: () => void
}

/** Buttons of the holder of a token that was not revoked. A user who lacks a right of the holder can only revoke it. */
export function TokenActions<T>({ holder, renew, revoke, widerRights, onEdit, onChanged }: Props<T>) {
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const renewal = useMutation({
    mutationFn: renew.call,
    onSuccess: renew.onDone,
    onError: (error) => showWarning(renew.failed, error),
    onSettled: onChanged,
  })
  const revocation = useMutation({
    mutationFn: revoke.call,
    onSuccess: () => showSuccess(revoke.done),
    onError: (error) => showWarning(revoke.failed, error),
    onSettled: onChanged,
  })
  const renewConfirm = useConfirm(renewal.mutate)
  const revokeConfirm = useConfirm(revocation.mutate)
  if (holder.state === 'revoked') return null
  const button = ({ label, labelNamed }: Action<unknown>, loading: boolean, onClick: () => void) => (
    <Button variant="default" size="xs" aria-label={labelNamed} loading={loading} onClick={onClick}>
      {label}
    </Button>
  )
  const revokeButton = button(revoke, revocation.isPending, revokeConfirm.ask)
  return (
    <>
      {holder.manageable ? (
        <EntryActions name={holder.name} onEdit={onEdit}>
          {button(renew, renewal.isPending, renewConfirm.ask)}
          {revokeButton}
        </EntryActions>
      ) : (
        <div className={css.actions}>
          <span className={css.wider}>{widerRights}</span>
          {revokeButton}
        </div>
      )}
      <ConfirmDialog title={renew.question} confirmLabel={renew.label} {...renewConfirm.dialog}>
        {renew.effect}
      </ConfirmDialog>
      <ConfirmDialog title={revoke.question} confirmLabel={revoke.label} destructive {...revokeConfirm.dialog}>
        {revoke.effect}
      </ConfirmDialog>
    </>
  )
}
