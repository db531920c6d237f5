import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canUsePasskeys } from '../core/canUsePasskeys.ts'
import { fieldErrors } from '../core/errors.ts'
import { useBanner } from '../core/useBanner.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/Notice.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import css from './Factors.module.css'
import { createPasskey, PasskeyNotUsed } from './passkeys.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type Props = { username: string; onDone: () => unknown }

/** Button with the dialog of a new passkey, which shows recovery codes to a user who had none. */
export function AddPasskey({ username, onDone }: Props) {
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
      <Button variant="default" leftSection={<PlusIcon />} onClick={() => setOpen(true)}>
        {t('add-passkey')}
      </Button>
      <Dialog title={codes ? t('recovery-codes') : t('add-passkey')} open={isOpen} onClose={close}>
        {codes ? (
          <div className={css.section}>
            <Notice>{t('recovery-hint')}</Notice>
            <RecoveryCodes codes={codes} username={username} />
            <div className={css.buttons}>
              <Button onClick={close}>{t('kept')}</Button>
            </div>
          </div>
        ) : (
          <PasskeyForm username={username} onAdded={finish} onCancel={close} />
        )}
      </Dialog>
    </>
  )
}

const FIELDS = ['name', 'password'] as const
type Errors = Partial<Record<(typeof FIELDS)[number], string>>

type FormProps = { username: string; onAdded: (codes: string[] | null) => void; onCancel: () => void }

function PasskeyForm({ username, onAdded, onCancel }: FormProps) {
  const { t } = useTranslation('factors')
  const banner = useBanner()
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<Errors>({})
  const [isPending, setPending] = useState(false)
  const showErrors = (errors: Errors) => {
    setErrors(errors)
    const [first] = Object.keys(errors)
    if (first) (form.current?.elements.namedItem(first) as HTMLInputElement | null)?.focus()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    const values = new FormData(event.currentTarget)
    const [name, password] = [String(values.get('name')).trim(), String(values.get('password'))]
    const missing: Errors = {
      ...(name === '' && { name: t('passkey-name-missing') }),
      ...(password === '' && { password: t('password-missing') }),
    }
    if (Object.keys(missing).length > 0) return showErrors(missing)
    banner.clear()
    setErrors({})
    setPending(true)
    createPasskey(name, password)
      .then(onAdded, (failure: unknown) => {
        showErrors(fieldErrors(failure, FIELDS))
        banner.show(failure instanceof PasskeyNotUsed ? t('passkey-failed') : failure)
      })
      .finally(() => setPending(false))
  }
  const clear = (field: keyof Errors) => setErrors(({ [field]: _, ...others }) => others)
  const hasFieldErrors = Object.keys(errors).length > 0
  return (
    <form ref={form} className={css.section} noValidate onSubmit={submit}>
      {banner.message && !hasFieldErrors && <ErrorBanner error={banner.message.error} dismiss={banner.clear} />}
      <p>{t('add-passkey-hint')}</p>
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <TextInput
        name="name"
        label={t('passkey-name')}
        autoComplete="off"
        maxLength={60}
        data-autofocus
        onChange={() => clear('name')}
        error={errors.name}
      />
      <PasswordField
        name="password"
        label={t('ui:current-password')}
        autoComplete="current-password"
        onChange={() => clear('password')}
        error={errors.password}
      />
      <div className={css.buttons}>
        <Button type="submit" loading={isPending}>
          {t('add-passkey')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('ui:cancel')}
        </Button>
      </div>
    </form>
  )
}
