import { Button } from '@mantine/core'
import type { WireOwnFactors } from '@rogatka/contract/session-factors.ts'
import { removePasskey, type WirePasskey } from '@rogatka/contract/session-passkeys.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDate, formatDateTime } from '../core/format.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { PencilIcon, TrashIcon } from '../ui/icons.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import { AddPasskey } from './AddPasskey.tsx'
import css from './Factors.module.css'
import { PasswordForm } from './PasswordForm.tsx'
import { RenamePasskey } from './RenamePasskey.tsx'

type Props = { factors: WireOwnFactors; username: string; onChange: () => unknown }

/** The passkeys of the user: names, last use, a new one, removal. */
export function PasskeysSection({ factors, username, onChange }: Props) {
  const { t } = useTranslation('factors')
  const showSuccess = useSuccessToast()
  const [renamed, setRenamed] = useState<WirePasskey>()
  const [removed, setRemoved] = useState<WirePasskey>()
  const { passkeys, passkeysAvailable } = factors
  const isNeeded = ({ id }: WirePasskey) => {
    const others = passkeys.filter((other) => other.id !== id)
    if (factors.passkeyRequired) return others.every(({ lockedAt }) => lockedAt !== null)
    return factors.required && factors.authenticator === null && others.length === 0
  }
  const columns = useColumns({ rename: setRenamed, remove: setRemoved, isNeeded })
  const remove = useMutation({
    mutationFn: ({ id, password }: { id: number; password: string | undefined }) =>
      call(removePasskey, { params: { id }, body: { password } }),
    onSuccess: async () => {
      setRemoved(undefined)
      showSuccess(t('passkey-removed'))
      await onChange()
    },
  })
  if (!passkeysAvailable && passkeys.length === 0) return null
  return (
    <Panel>
      <Section
        title={t('passkeys')}
        hint={t('passkeys-hint')}
        action={passkeysAvailable && <AddPasskey username={username} onDone={onChange} />}
      >
        {passkeys.length === 0 ? (
          <p className={css.lead}>{t('passkeys-none')}</p>
        ) : (
          <DataTable label={t('passkeys')} columns={columns} rows={passkeys} keyOf={({ id }) => id} />
        )}
        {renamed && <RenamePasskey passkey={renamed} onClose={() => setRenamed(undefined)} onDone={onChange} />}
        <Dialog title={t('remove-passkey-title')} open={removed !== undefined} onClose={() => setRemoved(undefined)}>
          {removed && (
            <PasswordForm
              username={username}
              explanation={t('remove-passkey-hint', { name: removed.name })}
              action={t('remove-passkey')}
              destructive
              isPending={remove.isPending}
              send={(password) => remove.mutateAsync({ id: removed.id, password })}
              onCancel={() => setRemoved(undefined)}
            />
          )}
        </Dialog>
      </Section>
    </Panel>
  )
}

type Actions = {
  rename: (passkey: WirePasskey) => void
  remove: (passkey: WirePasskey) => void
  /** Whether it cannot be removed: it is the last factor or usable passkey, and one is required. */
  isNeeded: (passkey: WirePasskey) => boolean
}

function useColumns({ rename, remove, isNeeded }: Actions): Column<WirePasskey>[] {
  const { t } = useTranslation('factors')
  return [
    { key: 'name', title: t('passkey-name'), head: true, cell: ({ name }) => name },
    { key: 'kind', title: t('passkey-kind'), cell: ({ kind }) => t(`kind-${kind}`) },
    { key: 'createdAt', title: t('passkey-since'), cell: ({ createdAt }) => formatDate(createdAt) },
    {
      key: 'lastUsedAt',
      title: t('passkey-last-used'),
      cell: ({ lastUsedAt, lockedAt }) =>
        lockedAt ? (
          <>
            <StatusMark status="malfunction" /> {t('passkey-locked', { time: formatDateTime(lockedAt) })}
          </>
        ) : lastUsedAt ? (
          formatDateTime(lastUsedAt)
        ) : (
          t('never-used')
        ),
    },
    {
      key: 'actions',
      title: t('ui:change'),
      plain: true,
      cell: (passkey) => (
        <div className={css.buttons}>
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            leftSection={<PencilIcon />}
            aria-label={t('rename-of', { name: passkey.name })}
            onClick={() => rename(passkey)}
          >
            {t('rename')}
          </Button>
          {!isNeeded(passkey) && (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              leftSection={<TrashIcon />}
              aria-label={t('remove-passkey-of', { name: passkey.name })}
              onClick={() => remove(passkey)}
            >
              {t('remove-passkey')}
            </Button>
          )}
        </div>
      ),
    },
  ]
}
