import { Button } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrors } from '../core/errors.ts'
import { useBanner } from '../core/useBanner.ts'
import { useSelf } from '../core/useSelf.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import css from './Factors.module.css'

type Props = {
  username: string
  explanation: string
  action: string
  destructive?: boolean
  isPending: boolean
  /** Undefined for an account of a provider, which has no password: the server asks for a step-up where it needs one. */
  send: (password: string | undefined) => Promise<unknown>
  onCancel: () => void
  /** Fields before the password; `check` returns whether they are right. */
  children?: ReactNode
  check?: () => boolean
  /** What is shown of a failure that is not about the password. */
  messageOf?: (failure: unknown) => unknown
}

/** Asks for the current password, of an account that has one. */
export function PasswordForm({
  username,
  explanation,
  action,
  destructive,
  isPending,
  send,
  onCancel,
  children,
  check = () => true,
  messageOf = (failure) => failure,
}: Props) {
  const { t } = useTranslation('factors')
  const banner = useBanner()
  const hasPassword = useSelf().data?.provider == null
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Both, so that all that is missing is shown at once.
    const isChecked = check()
    const isMissing = hasPassword && password === ''
    if (isMissing) setError(t('password-missing'))
    if (!isChecked || isMissing) return
    banner.clear()
    send(hasPassword ? password : undefined).catch((failure: unknown) => {
      setError(fieldErrors(failure, ['password']).password)
      banner.show(messageOf(failure))
    })
  }
  return (
    <form className={css.section} noValidate onSubmit={submit}>
      {banner.message && error === undefined && <ErrorBanner error={banner.message.error} dismiss={banner.clear} />}
      <p>{explanation}</p>
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      {children}
      {hasPassword && (
        <PasswordField
          label={t('ui:current-password')}
          autoComplete="current-password"
          autoFocus={!children}
          data-autofocus={!children || undefined}
          value={password}
          onChange={({ currentTarget }) => {
            setPassword(currentTarget.value)
            setError(undefined)
          }}
          error={error}
        />
      )}
      <div className={css.buttons}>
        <Button type="submit" loading={isPending} {...(destructive && { color: 'red' })}>
          {action}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('ui:cancel')}
        </Button>
      </div>
    </form>
  )
}
