import { Link, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTabs } from '../../ui/PageTabs.tsx'
import { session } from '../session.ts'
import { useSelf } from '../useSelf.ts'
import { statisticsTabsFor } from './navigation.ts'

/** URL parameters that all tabs have. */
type Shared = {
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  locations?: number[] | undefined
}
/** Those that some tabs have. */
const TIME_AND_ORIGIN = ['hours', 'weekdays', 'ctg323', 'nationalities']

/** Last URL parameters of each tab, until the session ends. The wizard of the summary restores its own. */
const visited = new Map<string, Record<string, unknown>>()
session.subscribe(() => {
  if (session.get().token === null) visited.clear()
})

/**
 * Tabs of the statistics that the user may open; a single one only on demand. They keep stations and range, and each is
 * reopened with its own filters.
 */
export function StatisticsTabs({ evenAlone = false }: { evenAlone?: boolean }) {
  const { t } = useTranslation()
  const { data: self } = useSelf()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const search = useLocation({ select: ({ search }) => search as Record<string, unknown> })
  useEffect(() => {
    visited.set(path, search)
  }, [path, search])
  const tabs = statisticsTabsFor(self?.permissions ?? [])
  const hasTimeAndOrigin = tabs.find(({ to }) => to === path)?.hasTimeAndOrigin ?? false
  const timeAndOrigin = Object.fromEntries(TIME_AND_ORIGIN.map((key) => [key, search[key]]))
  if (tabs.length < 2 && !evenAlone) return null
  return (
    <PageTabs label={t('nav-statistics')}>
      {tabs.map(({ to, name, restoresItself, ...tab }) => (
        <Link
          key={to}
          to={to}
          search={({ dateTimeStart, dateTimeEnd, locations }: Shared) => ({
            ...(restoresItself ? {} : visited.get(to)),
            ...(hasTimeAndOrigin && tab.hasTimeAndOrigin ? timeAndOrigin : {}),
            // With other stations there may be fewer pages.
            page: undefined,
            dateTimeStart,
            dateTimeEnd,
            locations,
          })}
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
