import { Button } from '@mantine/core'
import { removeAuthenticator, renewRecoveryCodes } from '@rogatka/contract/session-factors.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { NewRecoveryCodes } from './RecoveryCodes.tsx'

type Props = { username: string; onDone: () => unknown }

/** Replaces the recovery codes, and shows the new ones once. */
export function RenewCodes({ username, onDone }: Props) {
  const { t } = useTranslation('factors')
  const [isOpen, setOpen] = useState(false)
  const renew = useMutation({
    mutationFn: (password: string | undefined) => call(renewRecoveryCodes, { body: { password } }),
    gcTime: 0,
    onSuccess: onDone,
  })
  const close = () => {
    setOpen(false)
    renew.reset()
  }
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('renew')}
      </Button>
      <Dialog title={t('renew')} open={isOpen} onClose={close}>
        {renew.data ? (
          <NewRecoveryCodes codes={renew.data.recoveryCodes} username={username} onClose={close} />
        ) : (
          <PasswordForm
            username={username}
            explanation={t('renew-hint')}
            action={t('renew')}
            isPending={renew.isPending}
            send={(password) => renew.mutateAsync(password)}
            onCancel={close}
          />
        )}
      </Dialog>
    </>
  )
}

/** Removes the app; `hasOthers`: passkeys stay, and the recovery codes with them. */
export function RemoveFactor({ username, hasOthers, onDone }: Props & { hasOthers: boolean }) {
  const { t } = useTranslation('factors')
  const [isOpen, setOpen] = useState(false)
  const showSuccess = useSuccessToast()
  const remove = useMutation({
    mutationFn: (password: string | undefined) => call(removeAuthenticator, { body: { password } }),
    onSuccess: async () => {
      setOpen(false)
      showSuccess(t('removed'))
      await onDone()
    },
  })
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t(hasOthers ? 'remove-app' : 'remove')}
      </Button>
      <Dialog title={t('remove-title')} open={isOpen} onClose={() => setOpen(false)}>
        <PasswordForm
          username={username}
          explanation={t(hasOthers ? 'remove-app-hint' : 'remove-hint')}
          action={t(hasOthers ? 'remove-app' : 'remove')}
          destructive
          isPending={remove.isPending}
          send={(password) => remove.mutateAsync(password)}
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  )
}
