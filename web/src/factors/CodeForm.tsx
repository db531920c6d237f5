import { Button, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrors } from '../core/errors.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { CodeField } from './CodeField.tsx'
import css from './Factors.module.css'

type Props = {
  /** Sentences above the field, for a code of the app and for a recovery code. */
  explanations: { code: string; recoveryCode: string }
  action: string
  send: (code: string) => Promise<unknown>
  /** A refusal that is not about the code; returns true if it is shown elsewhere. */
  onRefused?: (failure: unknown) => boolean
  /** The way out. */
  leave: { text: string; onClick: () => void }
}

/** Form for a code of the app, which is sent with its sixth digit, or for a recovery code. */
export function CodeForm({ explanations, action, send, onRefused, leave }: Props) {
  const { t } = useTranslation('factors')
  const field = useRef<HTMLInputElement>(null)
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<unknown>(null)
  const [isSending, setSending] = useState(false)

  const submit = async (code: string) => {
    if (isSending) return
    setSending(true)
    setFailure(null)
    setError(undefined)
    try {
      await send(code)
    } catch (failure) {
      setSending(false)
      const refused = fieldErrors(failure, ['code']).code
      if (refused === undefined && onRefused?.(failure)) return
      if (refused === undefined) setFailure(failure)
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
        if (code !== '') void submit(code)
      }}
    >
      {failure !== null && <ErrorBanner error={failure} dismiss={() => setFailure(null)} />}
      <p className={css.lead}>{usesRecoveryCode ? explanations.recoveryCode : explanations.code}</p>
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
          data-autofocus
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
          onComplete={(code) => void submit(code)}
          error={error}
          readOnly={isSending}
          autoFocus
        />
      )}
      <Button type="submit" size="lg" fullWidth loading={isSending}>
        {action}
      </Button>
      <div className={css.others}>
        <Button variant="subtle" color="gray" onClick={useOther}>
          {t(usesRecoveryCode ? 'use-code' : 'use-recovery-code')}
        </Button>
        <Button variant="subtle" color="gray" onClick={leave.onClick}>
          {leave.text}
        </Button>
      </div>
    </form>
  )
}
