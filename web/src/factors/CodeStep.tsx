import { Button, TextInput } from '@mantine/core'
import { loginWithFactor } from '@rogatka/contract/session-factors.ts'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { fieldErrors } from '../core/errors.ts'
import { ApiFailure } from '../core/failure.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { CodeField } from './CodeField.tsx'
import css from './Factors.module.css'

type Props = {
  /** The sign-in that a code completes. */
  pending: string
  username: string
  onToken: (token: string) => void
  /** The sign-in has to begin again; the error says why, null: the user wants to. */
  onEnd: (error: unknown) => void
}

/** Second step of the login: a code of the app, or a recovery code. Loaded after the password, without the portal. */
export function CodeStep({ pending, username, onToken, onEnd }: Props) {
  const { t } = useTranslation('factors')
  const field = useRef<HTMLInputElement>(null)
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<unknown>(null)
  const [isSending, setSending] = useState(false)

  const send = async (code: string) => {
    if (isSending) return
    setSending(true)
    setFailure(null)
    setError(undefined)
    try {
      const { token } = await call(loginWithFactor, { body: { pending, code } })
      onToken(token)
    } catch (failure) {
      setSending(false)
      const refused = fieldErrors(failure, ['code']).code
      if (refused === undefined && failure instanceof ApiFailure && [401, 429].includes(failure.status)) onEnd(failure)
      else if (refused === undefined) setFailure(failure)
      else {
        setError(refused)
        if (!usesRecoveryCode) setCode('')
      }
      field.current?.focus()
    }
  }
  const change = (text: string) => {
    setCode(text)
    if (text !== '') setError(undefined)
  }
  const useOther = () => {
    setUsesRecoveryCode(!usesRecoveryCode)
    setCode('')
    setError(undefined)
  }
  return (
    <form
      className={css.step}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (code !== '') void send(code)
      }}
    >
      {failure !== null && <ErrorBanner error={failure} dismiss={() => setFailure(null)} />}
      <p className={css.lead}>{t(usesRecoveryCode ? 'enter-recovery-code' : 'enter-code', { username })}</p>
      {usesRecoveryCode ? (
        <TextInput
          ref={field}
          key="recovery"
          size="lg"
          label={t('recovery-code')}
          placeholder="XXXXX-XXXXX"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          autoFocus
          value={code}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          error={error}
        />
      ) : (
        <CodeField
          ref={field}
          key="code"
          label={t('code')}
          hint={t('checks-itself')}
          value={code}
          onChange={change}
          onComplete={(code) => void send(code)}
          error={error}
          readOnly={isSending}
          autoFocus
        />
      )}
      <Button type="submit" size="lg" fullWidth loading={isSending}>
        {t('sign-in')}
      </Button>
      <div className={css.others}>
        <Button variant="subtle" color="gray" onClick={useOther}>
          {t(usesRecoveryCode ? 'use-code' : 'use-recovery-code')}
        </Button>
        <Button variant="subtle" color="gray" onClick={() => onEnd(null)}>
          {t('start-again')}
        </Button>
      </div>
    </form>
  )
}
