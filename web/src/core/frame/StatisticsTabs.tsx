import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageTabs } from '../../ui/PageTabs.tsx'
import { useSelf } from '../useSelf.ts'
import { statisticsTabsFor } from './navigation.ts'

/** URL parameters that all tabs have. */
type Shared = {
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  locations?: number[] | undefined
}

/** Tabs of the statistics that the user may open, which keep stations and range; a single one only on demand. */
export function StatisticsTabs({ evenAlone = false }: { evenAlone?: boolean }) {
  const { t } = useTranslation()
  const { data: self } = useSelf()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const tabs = statisticsTabsFor(self?.permissions ?? [])
  if (tabs.length < 2 && !evenAlone) return null
  return (
    <PageTabs label={t('nav-statistics')}>
      {tabs.map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          search={({ dateTimeStart, dateTimeEnd, locations }: Shared) => ({ dateTimeStart, dateTimeEnd, locations })}
          // Filters differ: the current tab is marked by its path.
          activeProps={{}}
          {...(to === path && { 'aria-current': 'page' as const })}
        >
          {t(name)}
        </Link>
      ))}
    </PageTabs>
  )
}
