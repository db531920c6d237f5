import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useRight } from '../core/useSelf.ts'
import { lastDays } from '../ui/dateRange.ts'
import { ListTitle } from '../ui/ListTitle.tsx'
import css from './Activity.module.css'
import { ActivityFilters } from './ActivityFilters.tsx'
import { AuditList } from './AuditList.tsx'
import { HistoryList } from './HistoryList.tsx'
import { OutboxList } from './OutboxList.tsx'
import { type ActivitySearch, readActivitySearch, type Tab, tabs } from './search.ts'

/** User activity: visits, audit log, outgoing messages. */
export function ActivityPage() {
  const { t } = useTranslation('activity')
  const search = readActivitySearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const isAdministrator = useRight('UsersAdmin')
  // Default range: the last day before the page was opened.
  const [lastDay] = useState(() => lastDays(1, serverNow()))
  const shown = tabs.filter((tab) => tab !== 'outbox' || isAdministrator)
  const tab = shown.find((one) => one === search.tab) ?? 'activity'

  const go = (next: ActivitySearch) => void navigate({ to: '/user-activity', search: next })
  const onPage = (page: number) => go({ ...search, page: page === 1 ? undefined : page })
  const { userId, eventType, dateTimeStart = lastDay.start, dateTimeEnd = lastDay.end, page = 1 } = search
  const question = { userId, eventType, dateTimeStart, dateTimeEnd }
  return (
    <PageLayout title={<ListTitle>{t('core:nav-activity')}</ListTitle>}>
      <nav className={css.tabs} aria-label={t('tabs')}>
        {shown.map((one) => (
          <Link
            key={one}
            to="/user-activity"
            search={addressOf(one, search)}
            // All tabs have the same path; the current one is marked here.
            activeOptions={{ exact: true, includeSearch: true }}
            {...(one === tab && { 'aria-current': 'page' as const })}
          >
            {t(`tab-${one}`)}
          </Link>
        ))}
      </nav>
      {tab !== 'outbox' && (
        <ActivityFilters
          question={question}
          withEvents={tab === 'activity'}
          onApply={(next) => go({ tab: search.tab, ...next })}
        />
      )}
      {tab === 'activity' && <HistoryList question={question} page={page} onPage={onPage} />}
      {tab === 'audit' && <AuditList question={question} page={page} onPage={onPage} />}
      {tab === 'outbox' && <OutboxList page={page} onPage={onPage} />}
    </PageLayout>
  )
}

/** Another tab keeps user and range and starts at page 1. */
const addressOf = (tab: Tab, { userId, dateTimeStart, dateTimeEnd }: ActivitySearch): ActivitySearch => ({
  tab: tab === 'activity' ? undefined : tab,
  userId,
  dateTimeStart,
  dateTimeEnd,
})
