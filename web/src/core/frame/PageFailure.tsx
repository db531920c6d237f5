import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../../ui/ErrorBanner.tsx'
import { Screen } from './Screen.tsx'

/** A page that broke: the frame stays, and with it the way elsewhere. */
export function PageFailure({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const router = useRouter()
  return (
    <Screen>
      <ErrorBanner error={error} title={t('page-failed')} retry={() => void router.invalidate()} />
    </Screen>
  )
}
