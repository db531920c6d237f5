import type { SignInFactor } from '@rogatka/contract/options.ts'
import { loginWithFactor } from '@rogatka/contract/session-factors.ts'
import type { WireSignInOutcome } from '@rogatka/contract/session-outcome.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { ApiFailure } from '../core/failure.ts'
import { CodeForm } from './CodeForm.tsx'
import { signInWithPasskey } from './passkeys.ts'

type Props = {
  /** The sign-in that a code completes. */
  pending: string
  factors: readonly SignInFactor[]
  isPasskeyRequired: boolean
  username: string
  /** What came before: the password, or a provider. */
  after: 'password' | 'provider'
  onOutcome: (outcome: WireSignInOutcome) => void
  /** The sign-in has to begin again; the error says why, null: the user wants to. */
  onEnd: (error: unknown) => void
}

/** Second step of the login: a code of the app, a passkey, or a recovery code. Loaded after the password, without the portal. */
export function CodeStep({ pending, factors, isPasskeyRequired, username, after, onOutcome, onEnd }: Props) {
  const { t } = useTranslation('factors')
  const isAfterProvider = after === 'provider'
  return (
    <CodeForm
      hasApp={factors.includes('authenticator')}
      hasPasskey={factors.includes('passkey')}
      isPasskeyRequired={isPasskeyRequired}
      explanations={{
        code: t(isAfterProvider ? 'provider-code' : 'enter-code', { username }),
        'recovery-code': t(isAfterProvider ? 'provider-recovery-code' : 'enter-recovery-code', { username }),
        passkey: t(isAfterProvider ? 'provider-passkey' : 'enter-passkey', { username }),
      }}
      action={t('sign-in')}
      send={async (code) => onOutcome(await call(loginWithFactor, { body: { pending, code } }))}
      sendPasskey={async () => onOutcome(await signInWithPasskey(pending))}
      onRefused={(failure) => {
        const isOver = failure instanceof ApiFailure && [401, 429].includes(failure.status)
        if (isOver) onEnd(failure)
        return isOver
      }}
      leave={{ text: t('start-again'), onClick: () => onEnd(null) }}
    />
  )
}
