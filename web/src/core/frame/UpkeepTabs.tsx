import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageTabs } from '../../ui/PageTabs.tsx'
import { useSelf } from '../useSelf.ts'
import { upkeepTabsFor } from './navigation.ts'

/** Tabs of the upkeep of stations that the user may open. `withHeading`: the tab of the open page is its heading. */
export function UpkeepTabs({ withHeading = false }: { withHeading?: boolean }) {
  const { t } = useTranslation()
  const { data: self } = useSelf()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const tabs = upkeepTabsFor(self?.permissions ?? [])
  if (tabs.length < 2 && !withHeading) return null
  return (
    <PageTabs label={t('upkeep-tabs')}>
      {tabs.map(({ to, name }) => {
        const isOpen = to === path
        const link = (
          <Link key={to} to={to} activeProps={{}} {...(isOpen && { 'aria-current': 'page' as const })}>
            {t(name)}
          </Link>
        )
        return isOpen && withHeading ? <h1 key={to}>{link}</h1> : link
      })}
    </PageTabs>
  )
}
