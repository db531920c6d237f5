import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../../ui/ErrorBanner.tsx'
import { isWallScreen } from '../wallScreen.ts'
import { PageLayout } from './PageLayout.tsx'
import { WallFailure } from './WallFailure.tsx'

/** Shown if a page throws while rendering; the layout and navigation stay usable. */
export function PageError({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const router = useRouter()
  if (isWallScreen()) return <WallFailure />
  return (
    <PageLayout>
      <div data-framed>
        <ErrorBanner error={error} title={t('page-failed')} retry={() => void router.invalidate()} />
      </div>
    </PageLayout>
  )
}
