import type { WirePendingSignIn, WireSignInOutcome } from '@rogatka/contract/session-outcome.ts'
import { useState } from 'react'
import { CodeStep } from './CodeStep.tsx'
import { LinkStep } from './LinkStep.tsx'

type Props = {
  pending: WirePendingSignIn
  providers: readonly { id: string; label: string; linkAtSignIn: boolean }[]
  username: string
  /** What came before: the password, or a provider. */
  after: 'password' | 'provider'
  onToken: (token: string) => void
  /** The sign-in has to begin again; the error says why, null: the user wants to. */
  onEnd: (error: unknown) => void
}

/** What completes a sign-in: a second factor, then the link of the account to a provider where a role requires that. */
export function SecondStep({ pending, providers, username, after, onToken, onEnd }: Props) {
  const [current, setCurrent] = useState(pending)
  const linkable = providers.filter(({ linkAtSignIn }) => linkAtSignIn)
  if (current.linkRequired) return <LinkStep pending={current.id} providers={linkable} onEnd={onEnd} />
  const proceed = ({ token, pending }: WireSignInOutcome) => {
    if (token !== undefined) onToken(token)
    else if (pending) setCurrent(pending)
  }
  return (
    <CodeStep
      pending={current.id}
      factors={current.factors}
      isPasskeyRequired={current.passkeyRequired}
      username={username}
      after={after}
      onOutcome={proceed}
      onEnd={onEnd}
    />
  )
}
