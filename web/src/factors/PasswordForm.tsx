import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrors } from '../core/errors.ts'
import { useBanner } from '../core/useBanner.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { PasswordField } from '../ui/PasswordField.tsx'
import css from './Factors.module.css'

type Props = {
  username: string
  explanation: string
  action: string
  destructive?: boolean
  isPending: boolean
  send: (password: string) => Promise<unknown>
  onCancel: () => void
}

/** Asks for the current password. */
export function PasswordForm({ username, explanation, action, destructive, isPending, send, onCancel }: Props) {
  const { t } = useTranslation('factors')
  const banner = useBanner()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password === '') return setError(t('password-missing'))
    banner.clear()
    send(password).catch((failure: unknown) => {
      setError(fieldErrors(failure, ['password']).password)
      banner.show(failure)
    })
  }
  return (
    <form className={css.section} noValidate onSubmit={submit}>
      {banner.message && error === undefined && <ErrorBanner error={banner.message.error} dismiss={banner.clear} />}
      <p>{explanation}</p>
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label={t('ui:current-password')}
        autoComplete="current-password"
        autoFocus
        data-autofocus
        value={password}
        onChange={({ currentTarget }) => {
          setPassword(currentTarget.value)
          setError(undefined)
        }}
        error={error}
      />
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
