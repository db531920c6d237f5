import { Button } from '@mantine/core'
import { renew, revoke, type WireDevice } from '@rogatka/contract/devices.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EntryActions } from '../ui/EntryActions.tsx'
import { useConfirm } from '../ui/useConfirm.ts'
import css from './Devices.module.css'
import type { NewLink } from './useDevices.ts'

export type DeviceEvents = {
  onEdit: (device: WireDevice) => void
  onLink: (link: NewLink) => void
  onChanged: () => void
}

/** Buttons of a wall screen that was not revoked. Whoever may not see all that it shows can only revoke it. */
export function DeviceActions({ device, onEdit, onLink, onChanged }: DeviceEvents & { device: WireDevice }) {
  const { t } = useTranslation('devices')
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const { id, name } = device
  const renewal = useMutation({
    mutationFn: () => call(renew, { params: { id } }),
    onSuccess: onLink,
    onError: (error) => showWarning(t('renew-failed'), error),
    onSettled: onChanged,
  })
  const revocation = useMutation({
    mutationFn: () => call(revoke, { params: { id } }),
    onSuccess: () => showSuccess(t('revoke-done', { name })),
    onError: (error) => showWarning(t('revoke-failed'), error),
    onSettled: onChanged,
  })
  const renewConfirm = useConfirm(renewal.mutate)
  const revokeConfirm = useConfirm(revocation.mutate)
  if (device.state === 'revoked') return null
  const revokeButton = (
    <Button
      variant="default"
      size="xs"
      aria-label={t('revoke-named', { name })}
      loading={revocation.isPending}
      onClick={revokeConfirm.ask}
    >
      {t('revoke')}
    </Button>
  )
  return (
    <>
      {device.manageable ? (
        <EntryActions name={name} onEdit={() => onEdit(device)}>
          <Button
            variant="default"
            size="xs"
            aria-label={t('renew-named', { name })}
            loading={renewal.isPending}
            onClick={renewConfirm.ask}
          >
            {t('renew')}
          </Button>
          {revokeButton}
        </EntryActions>
      ) : (
        <div className={css.actions}>
          <span className={css.wider}>{t('wider-rights')}</span>
          {revokeButton}
        </div>
      )}
      <ConfirmDialog title={t('renew-question', { name })} confirmLabel={t('renew')} {...renewConfirm.dialog}>
        {t('renew-effect')}
      </ConfirmDialog>
      <ConfirmDialog
        title={t('revoke-question', { name })}
        confirmLabel={t('revoke')}
        destructive
        {...revokeConfirm.dialog}
      >
        {t('revoke-effect')}
      </ConfirmDialog>
    </>
  )
}
