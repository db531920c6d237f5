import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../../ui/ErrorBanner.tsx'
import css from './PageLayout.module.css'

/** An operator's screen should come back without hands. */
const RETRY_MS = 5_000

/** Nothing can be shown yet, because the server does not say who is there; asks again by itself. */
export function StartFailure({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => void router.invalidate(), RETRY_MS)
    return () => clearInterval(timer)
  }, [router])
  return (
    <main id="main" className={css.alone}>
      <ErrorBanner error={error} title={t('start-failed')} retry={() => void router.invalidate()} />
    </main>
  )
}
