import { Link, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTabs } from '../../ui/PageTabs.tsx'
import { session } from '../session.ts'
import { useSelf } from '../useSelf.ts'
import { statisticsTabsFor } from './navigation.ts'

/** URL parameters that all tabs have. */
type SharedParams = {
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  locations?: number[] | undefined
}
/** Those that some tabs have. */
const TIME_CLASS_COUNTRY = ['hours', 'weekdays', 'ctg323', 'nationalities']

/** Last URL parameters of each tab, until the session ends. The wizard of the summary restores its own. */
const visited = new Map<string, Record<string, unknown>>()
session.subscribe(() => {
  if (session.get().token === null) visited.clear()
})

/**
 * Tabs of the statistics that the user may open; a single one only with `showSingle`. They keep stations and range, and
 * each is reopened with its own filters.
 */
export function StatisticsTabs({ showSingle = false }: { showSingle?: boolean }) {
  const { t } = useTranslation()
  const { data: self } = useSelf()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const search = useLocation({ select: ({ search }) => search as Record<string, unknown> })
  useEffect(() => {
    visited.set(path, search)
  }, [path, search])
  const tabs = statisticsTabsFor(self?.permissions ?? [])
  const hasTimeClassCountry = tabs.find(({ to }) => to === path)?.hasTimeClassCountry ?? false
  const timeClassCountry = Object.fromEntries(TIME_CLASS_COUNTRY.map((key) => [key, search[key]]))
  if (tabs.length < 2 && !showSingle) return null
  return (
    <PageTabs label={t('nav-statistics')}>
      {tabs.map(({ to, name, restoresItself, ...tab }) => (
        <Link
          key={to}
          to={to}
          search={({ dateTimeStart, dateTimeEnd, locations }: SharedParams) => ({
            ...(restoresItself ? {} : visited.get(to)),
            ...(hasTimeClassCountry && tab.hasTimeClassCountry ? timeClassCountry : {}),
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
