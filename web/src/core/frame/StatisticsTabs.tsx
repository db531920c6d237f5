import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageTabs } from '../../ui/PageTabs.tsx'
import { useSelf } from '../useSelf.ts'
import { statisticsTabsFor } from './navigation.ts'

/** Tabs of the statistics that the user may open; nothing if there is only one. */
export function StatisticsTabs() {
  const { t } = useTranslation()
  const { data: self } = useSelf()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const tabs = statisticsTabsFor(self?.permissions ?? [])
  if (tabs.length < 2) return null
  return (
    <PageTabs label={t('nav-statistics')}>
      {tabs.map(({ to, name }) => (
        <Link key={to} to={to} {...(to === path && { 'aria-current': 'page' as const })}>
          {t(name)}
        </Link>
      ))}
    </PageTabs>
  )
}
