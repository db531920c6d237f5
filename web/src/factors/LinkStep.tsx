import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiFailure } from '../core/failure.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { ProviderButton } from '../ui/ProviderButton.tsx'
import css from './Factors.module.css'
import { startLinkAtSignIn } from './providers.ts'

type Props = {
  /** The sign-in that the link completes. */
  pending: string
  /** To which an account can be linked at a sign-in. */
  providers: readonly { id: string; label: string }[]
  /** The sign-in has to begin again; the error says why, null: the user wants to. */
  onEnd: (error: unknown) => void
}

/** Sends a user whose role requires a provider to one, to link the account to it; without router and queries. */
export function LinkStep({ pending, providers, onEnd }: Props) {
  const { t } = useTranslation('factors')
  const [asked, setAsked] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const ask = async (provider: string) => {
    if (asked !== null) return
    setAsked(provider)
    setFailure(null)
    try {
      await startLinkAtSignIn(provider, pending)
    } catch (failure) {
      setAsked(null)
      if (failure instanceof ApiFailure && [401, 422].includes(failure.status)) onEnd(failure)
      else setFailure(failure)
    }
  }
  return (
    <div className={css.step}>
      {failure !== null && <ErrorBanner error={failure} dismiss={() => setFailure(null)} />}
      <p className={css.lead}>{t('link-required-now')}</p>
      {providers.map(({ id, label }, at) => (
        <ProviderButton
          key={id}
          loading={asked === id}
          disabled={asked !== null && asked !== id}
          autoFocus={at === 0}
          onClick={() => void ask(id)}
        >
          {t('link-with', { provider: label })}
        </ProviderButton>
      ))}
      <div className={css.others}>
        <Button variant="subtle" color="gray" onClick={() => onEnd(null)}>
          {t('start-again')}
        </Button>
      </div>
    </div>
  )
}
