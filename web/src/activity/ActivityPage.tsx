import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { SearchTabs } from '../core/frame/SearchTabs.tsx'
import { useRight } from '../core/useSelf.ts'
import { lastDays } from '../ui/dateRange.ts'
import { ListTitle } from '../ui/ListTitle.tsx'
import { ActivityFilters } from './ActivityFilters.tsx'
import { AuditList } from './AuditList.tsx'
import { HistoryList } from './HistoryList.tsx'
import { OutboxList } from './OutboxList.tsx'
import type { ByTime } from './PagedList.tsx'
import { type ActivitySearch, readActivitySearch, type Tab, tabs } from './search.ts'

/** User activity: visits, audit log, outgoing messages. */
export function ActivityPage() {
  const { t } = useTranslation('activity')
  const search = readActivitySearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const isAdministrator = useRight('UsersAdmin')
  // Default range: the last day before the page was opened.
  const [lastDay] = useState(() => lastDays(1, serverNow()))
  const visibleTabs = tabs.filter((tab) => tab !== 'outbox' || isAdministrator)
  const tab = visibleTabs.find((option) => option === search.tab) ?? 'activity'

  const navigateTo = (next: ActivitySearch) => void navigate({ to: '/user-activity', search: next })
  const onPage = (page: number) => navigateTo({ ...search, page: page === 1 ? undefined : page })
  const { userId, eventType, dateTimeStart = lastDay.start, dateTimeEnd = lastDay.end, page = 1 } = search
  const byTime: ByTime = {
    page,
    onPage,
    direction: search.order ?? 'desc',
    onOrder: (level) =>
      navigateTo({ ...search, page: undefined, order: level?.direction === 'asc' ? 'asc' : undefined }),
  }
  const query = { userId, eventType, dateTimeStart, dateTimeEnd }
  return (
    <PageLayout title={<ListTitle>{t('core:nav-activity')}</ListTitle>}>
      <SearchTabs
        label={t('tabs')}
        tabs={visibleTabs.map((key) => ({ key, text: t(`tab-${key}`), search: searchOfTab(key, search) }))}
        current={tab}
      />
      {tab !== 'outbox' && (
        <ActivityFilters
          query={query}
          withEvents={tab === 'activity'}
          onApply={(next) => navigateTo({ tab: search.tab, ...next })}
        />
      )}
      {tab === 'activity' && <HistoryList query={query} {...byTime} />}
      {tab === 'audit' && <AuditList query={query} {...byTime} />}
      {tab === 'outbox' && <OutboxList {...byTime} />}
    </PageLayout>
  )
}

/** Another tab keeps user and range and starts at page 1. */
const searchOfTab = (tab: Tab, { userId, dateTimeStart, dateTimeEnd }: ActivitySearch): ActivitySearch => ({
  tab: tab === 'activity' ? undefined : tab,
  userId,
  dateTimeStart,
  dateTimeEnd,
})
