import { Button, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canUsePasskeys } from '../core/canUsePasskeys.ts'
import { fieldErrors } from '../core/errors.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { KeyIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/Notice.tsx'
import { CodeField } from './CodeField.tsx'
import css from './Factors.module.css'
import { PasskeyNotUsed } from './passkeys.ts'

type Way = 'code' | 'recovery-code' | 'passkey'

type Props = {
  /** Ways that the account has, besides a recovery code. */
  hasApp: boolean
  hasPasskey: boolean
  /** A role requires the passkey: no code opens the account. */
  isPasskeyRequired: boolean
  /** The sentence above each way. */
  explanations: Record<Way, string>
  action: string
  send: (code: string) => Promise<unknown>
  sendPasskey: () => Promise<unknown>
  /** A refusal that is not about the code; returns true if it is shown elsewhere. */
  onRefused?: (failure: unknown) => boolean
  /** Button that leaves the form. */
  leave: { text: string; onClick: () => void }
}

/** Asks for a second factor: a code of the app, which is sent with its sixth digit, a passkey, or a recovery code. */
export function CodeForm(props: Props) {
  const { hasApp, hasPasskey, isPasskeyRequired, explanations, action, send, sendPasskey, onRefused, leave } = props
  const { t } = useTranslation('factors')
  const field = useRef<HTMLInputElement>(null)
  const ways: Way[] = [
    ...(hasApp && !isPasskeyRequired ? (['code'] as const) : []),
    ...(hasPasskey && canUsePasskeys() ? (['passkey'] as const) : []),
    ...(isPasskeyRequired ? [] : (['recovery-code'] as const)),
  ]
  const [way, setWay] = useState<Way>(ways[0] ?? 'passkey')
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<unknown>(null)
  const [isSending, setSending] = useState(false)

  const submit = async (work: () => Promise<unknown>) => {
    if (isSending) return
    setSending(true)
    setFailure(null)
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      setSending(false)
      const refused = fieldErrors(failure, ['code']).code
      if (refused === undefined && onRefused?.(failure)) return
      if (refused === undefined) setFailure(failure instanceof PasskeyNotUsed ? t('passkey-failed') : failure)
      else {
        setError(refused)
        if (way === 'code') setCode('')
      }
      field.current?.focus()
    }
  }
  const change = (text: string) => {
    setCode(text)
    if (text !== '') setError(undefined)
  }
  const choose = (way: Way) => {
    setWay(way)
    setCode('')
    setError(undefined)
    setFailure(null)
  }
  const texts: Record<Way, string> = {
    code: t('use-code'),
    passkey: t('use-passkey'),
    'recovery-code': hasApp ? t('use-recovery-code') : t('recovery-code'),
  }
  return (
    <form
      className={css.step}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (way === 'passkey') void submit(sendPasskey)
        else if (code !== '') void submit(() => send(code))
      }}
    >
      {failure !== null && <ErrorBanner error={failure} dismiss={() => setFailure(null)} />}
      <p className={css.lead}>{explanations[way]}</p>
      {ways.length === 0 && (
        <Notice kind="quiet">{t(hasPasskey ? 'passkey-impossible' : 'errors:passkey-required')}</Notice>
      )}
      {way === 'recovery-code' && (
        <TextInput
          ref={field}
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
      )}
      {way === 'code' && (
        <CodeField
          ref={field}
          label={t('code')}
          hint={t('checks-itself')}
          value={code}
          onChange={change}
          onComplete={(code) => void submit(() => send(code))}
          error={error}
          readOnly={isSending}
          autoFocus
        />
      )}
      {ways.length > 0 && (
        <Button
          type="submit"
          size="lg"
          fullWidth
          loading={isSending}
          {...(way === 'passkey' && { leftSection: <KeyIcon />, autoFocus: true, 'data-autofocus': true })}
        >
          {way === 'passkey' ? texts.passkey : action}
        </Button>
      )}
      <div className={css.others}>
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} variant="subtle" color="gray" onClick={() => choose(other)}>
              {texts[other]}
            </Button>
          ))}
        <Button variant="subtle" color="gray" onClick={leave.onClick}>
          {leave.text}
        </Button>
      </div>
    </form>
  )
}
