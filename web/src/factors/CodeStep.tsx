import type { SignInFactor } from '@rogatka/contract/options.ts'
import { loginWithFactor } from '@rogatka/contract/session-factors.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { ApiFailure } from '../core/failure.ts'
import { CodeForm } from './CodeForm.tsx'
import { signInWithPasskey } from './passkeys.ts'

type Props = {
  /** The sign-in that a code completes. */
  pending: string
  factors: readonly SignInFactor[]
  username: string
  onToken: (token: string) => void
  /** The sign-in has to begin again; the error says why, null: the user wants to. */
  onEnd: (error: unknown) => void
}

/** Second step of the login: a code of the app, a passkey, or a recovery code. Loaded after the password, without the portal. */
export function CodeStep({ pending, factors, username, onToken, onEnd }: Props) {
  const { t } = useTranslation('factors')
  return (
    <CodeForm
      hasApp={factors.includes('authenticator')}
      hasPasskey={factors.includes('passkey')}
      explanations={{
        code: t('enter-code', { username }),
        'recovery-code': t('enter-recovery-code', { username }),
        passkey: t('enter-passkey', { username }),
      }}
      action={t('sign-in')}
      send={async (code) => onToken((await call(loginWithFactor, { body: { pending, code } })).token)}
      // It needs no password, so that it begins a sign-in of its own.
      sendPasskey={async () => onToken(await signInWithPasskey())}
      onRefused={(failure) => {
        const isOver = failure instanceof ApiFailure && [401, 429].includes(failure.status)
        if (isOver) onEnd(failure)
        return isOver
      }}
      leave={{ text: t('start-again'), onClick: () => onEnd(null) }}
    />
  )
}
