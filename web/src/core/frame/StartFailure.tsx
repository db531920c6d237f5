import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../../ui/ErrorBanner.tsx'
import { isWallScreen } from '../wallScreen.ts'
import css from './PageLayout.module.css'
import { WallFailure } from './WallFailure.tsx'

/** Retries automatically, so that an unattended screen recovers. */
const RETRY_MS = 5_000

/** Error page while the server cannot identify the user. */
export function StartFailure({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => void router.invalidate(), RETRY_MS)
    return () => clearInterval(timer)
  }, [router])
  if (isWallScreen()) return <WallFailure />
  return (
    <main id="main" className={css.alone}>
      <ErrorBanner error={error} title={t('start-failed')} retry={() => void router.invalidate()} />
    </main>
  )
}
