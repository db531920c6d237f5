import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { homePath, useBuild } from '../useBuild.ts'
import { useTitle } from '../useTitle.ts'
import { PageLayout } from './PageLayout.tsx'

/** Page for unknown URLs. */
export function NotFound() {
  const { t } = useTranslation()
  const { sg } = useBuild()
  useTitle(t('page-not-found'))
  return (
    <PageLayout>
      <EmptyState title={t('page-not-found')} hint={t('page-not-found-hint')}>
        <Link to={homePath(sg)}>{t('go-home')}</Link>
      </EmptyState>
    </PageLayout>
  )
}
