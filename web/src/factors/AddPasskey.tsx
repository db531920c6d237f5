import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canUsePasskeys } from '../core/canUsePasskeys.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { PasskeyName } from './PasskeyName.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { createPasskey, PasskeyNotUsed } from './passkeys.ts'
import { NewRecoveryCodes } from './RecoveryCodes.tsx'

/** `isPrimary`: the one thing to do on its page. */
type Props = { username: string; onDone: () => unknown; isPrimary?: boolean }

/** Button with the dialog of a new passkey, which shows recovery codes to a user who had none. */
export function AddPasskey({ username, onDone, isPrimary = false }: Props) {
  const { t } = useTranslation('factors')
  const showSuccess = useSuccessToast()
  const [isOpen, setOpen] = useState(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  if (!canUsePasskeys()) return null
  const close = () => {
    setOpen(false)
    // Only now: the page that requires a factor leaves with it.
    if (codes) void onDone()
    setCodes(null)
  }
  const finish = (codes: string[] | null) => {
    showSuccess(t('passkey-added'))
    if (codes) return setCodes(codes)
    setOpen(false)
    void onDone()
  }
  return (
    <>
      <Button variant={isPrimary ? 'filled' : 'default'} leftSection={<PlusIcon />} onClick={() => setOpen(true)}>
        {t('add-passkey')}
      </Button>
      <Dialog title={codes ? t('recovery-codes') : t('add-passkey')} open={isOpen} onClose={close}>
        {codes ? (
          <NewRecoveryCodes codes={codes} username={username} onClose={close} />
        ) : (
          <PasskeyForm username={username} onAdded={finish} onCancel={close} />
        )}
      </Dialog>
    </>
  )
}

type FormProps = { username: string; onAdded: (codes: string[] | null) => void; onCancel: () => void }

function PasskeyForm({ username, onAdded, onCancel }: FormProps) {
  const { t } = useTranslation('factors')
  const field = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const add = useMutation({
    mutationFn: (password: string | undefined) => createPasskey(name.trim(), password),
    gcTime: 0,
    onSuccess: onAdded,
  })
  const check = () => {
    const isGiven = name.trim() !== ''
    setMissing(!isGiven)
    if (!isGiven) field.current?.focus()
    return isGiven
  }
  return (
    <PasswordForm
      username={username}
      explanation={t('add-passkey-hint')}
      action={t('add-passkey')}
      isPending={add.isPending}
      send={(password) => add.mutateAsync(password)}
      onCancel={onCancel}
      check={check}
      messageOf={(failure) => (failure instanceof PasskeyNotUsed ? t('passkey-failed') : failure)}
    >
      <PasskeyName
        ref={field}
        value={name}
        onChange={(name) => {
          setName(name)
          setMissing(false)
        }}
        isMissing={isMissing}
      />
    </PasswordForm>
  )
}
