import { alarmKinds, type WireAlarm } from '@rogatka/contract/alarms.ts'
import { alarmRules } from '@rogatka/domain/alarms/kinds.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatDateTime, MISSING, useFormat } from '../core/format.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { SearchTabs } from '../core/frame/SearchTabs.tsx'
import { ShiftReportLink } from '../core/frame/ShiftReportLink.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { pageCount } from '../ui/pages.ts'
import { AlarmList } from './AlarmList.tsx'
import { AlarmMark } from './AlarmMark.tsx'
import css from './Alarms.module.css'
import { readAlarmSearch, tabs } from './search.ts'
import { HISTORY_ROWS, useAlarmFigures, useAlarmHistory } from './useAlarms.ts'
import { useAlarmTexts } from './useAlarmTexts.ts'
import { useNow } from './useNow.ts'

/** Alarms: the list in full, the history and figures of the last week, and what each kind means. */
export function AlarmsPage() {
  const { t } = useTranslation('alarms')
  const { tab = 'list', page = 1 } = readAlarmSearch(useSearch({ strict: false }))
  return (
    <PageLayout title={<ListTitle>{t('core:nav-alarms')}</ListTitle>} actions={<ShiftReportLink />}>
      <SearchTabs
        label={t('core:nav-alarms')}
        tabs={tabs.map((key) => ({ key, text: t(`tab-${key}`), search: { tab: key === 'list' ? undefined : key } }))}
        current={tab}
      />
      {tab === 'list' && <AlarmList />}
      {tab === 'history' && <History page={page} />}
      {tab === 'figures' && <Figures />}
      {tab === 'kinds' && <Kinds />}
    </PageLayout>
  )
}

function useAlarmColumns(): Column<WireAlarm>[] {
  const { t } = useTranslation('alarms')
  const { title, details } = useAlarmTexts(useNow(MINUTE_MS))
  return [
    {
      key: 'alarm',
      title: t('alarm'),
      head: true,
      share: 40,
      cell: (alarm) => (
        <span className={css.kind}>
          <AlarmMark priority={alarm.priority} hollow={alarm.acknowledged !== null} struck={alarm.clearedAt !== null} />
          {title(alarm)}
        </span>
      ),
    },
    { key: 'raised', title: t('raised'), share: 17, cell: ({ raisedAt }) => formatDateTime(raisedAt) },
    {
      key: 'details',
      title: t('details'),
      wide: true,
      share: 43,
      cell: (alarm) => [details(alarm), alarm.isMissed && t('missed')].filter(Boolean).join(' · '),
    },
  ]
}

function History({ page }: { page: number }) {
  const { t } = useTranslation('alarms')
  const { number } = useFormat()
  const navigate = useNavigate()
  const columns = useAlarmColumns()
  const { data, error, refetch, isPlaceholderData } = useAlarmHistory(page)
  const pages = pageCount(data?.totalCount ?? 0, HISTORY_ROWS)
  const onPage = (next: number) => void navigate({ to: '/alarms', search: { tab: 'history', page: next } })
  if (error) return <ErrorBanner error={error} title={t('failed')} retry={() => void refetch()} />
  if (!data) return <Loading label={t('loading')} />
  if (data.content.length === 0) return <EmptyState title={t('none-in-week')} />
  return (
    <div className={css.page}>
      <DataTable
        label={t('tab-history')}
        columns={columns}
        rows={data.content}
        keyOf={({ id }) => id}
        stale={isPlaceholderData}
      />
      {pages > 1 && <Pagination page={Math.min(page, pages)} count={pages} onPage={onPage} format={number} />}
    </div>
  )
}

function Figures() {
  const { t } = useTranslation('alarms')
  const { number } = useFormat()
  const columns = useAlarmColumns()
  const { data, error, refetch } = useAlarmFigures()
  if (error) return <ErrorBanner error={error} title={t('failed')} retry={() => void refetch()} />
  if (!data) return <Loading label={t('loading')} />
  const seconds = (value: number | null) => (value === null ? MISSING : `${number(value)} s`)
  const { high, medium, low } = data.priorities
  const figures: [name: string, value: string, hint: string][] = [
    ['per-ten', number(data.perTenMinutes, 2), t('hint-per-ten', { total: number(data.alarms) })],
    ['over-ten', number(data.windowsOverTen), t('hint-over-ten', { worst: number(data.worstWindow) })],
    [
      'median',
      seconds(data.secondsToAcknowledge.median),
      t('hint-median', { p95: seconds(data.secondsToAcknowledge.p95) }),
    ],
    ['shares', [high, medium, low].map(({ percent }) => number(percent)).join(' / '), t('hint-shares')],
    ['missed', number(data.missed), t('hint-missed')],
  ]
  const frequent = data.mostFrequent.map((row, id) => ({ ...row, id }))
  return (
    <div className={css.page}>
      <dl className={css.figures}>
        {figures.map(([key, value, hint]) => (
          <div key={key}>
            <dt>{t(`figure-${key}`)}</dt>
            <dd>{value}</dd>
            <dd>
              <small>{hint}</small>
            </dd>
          </div>
        ))}
      </dl>
      <h2>{t('most-frequent')}</h2>
      {frequent.length === 0 ? (
        <p>{t('none-in-week')}</p>
      ) : (
        <DataTable
          label={t('most-frequent')}
          rows={frequent}
          keyOf={({ id }) => id}
          columns={[
            { key: 'kind', title: t('alarm'), head: true, cell: ({ kind }) => t(`kind-${kind}`) },
            { key: 'station', title: t('ui:station'), cell: ({ location }) => location?.shortName ?? MISSING },
            { key: 'alarms', title: t('number'), right: true, cell: ({ alarms }) => number(alarms) },
          ]}
        />
      )}
      <h2>{t('standing')}</h2>
      {data.standing.length === 0 ? (
        <p>{t('none-standing')}</p>
      ) : (
        <DataTable label={t('standing')} columns={columns} rows={data.standing} keyOf={({ id }) => id} />
      )}
    </div>
  )
}

/** What each kind means, and what to do about it. */
function Kinds() {
  const { t } = useTranslation('alarms')
  const rows = alarmKinds.map((kind, id) => ({ id, kind, ...alarmRules[kind] }))
  const delay = (ms: number) => (ms < MINUTE_MS ? `${ms / 1000} s` : `${ms / MINUTE_MS} min`)
  return (
    <DataTable
      label={t('tab-kinds')}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'kind',
          title: t('alarm'),
          head: true,
          share: 18,
          cell: ({ kind, priority }) => (
            <span className={css.kind}>
              <AlarmMark priority={priority} />
              {t(`kind-${kind}`)}
            </span>
          ),
        },
        { key: 'priority', title: t('priority'), share: 9, cell: ({ priority }) => t(`priority-${priority}`) },
        { key: 'cause', title: t('cause'), wide: true, share: 34, cell: ({ kind }) => t(`cause-${kind}`) },
        { key: 'todo', title: t('what-to-do'), wide: true, share: 29, cell: ({ kind }) => t(`todo-${kind}`) },
        {
          key: 'delay',
          title: t('delay'),
          share: 10,
          cell: ({ delayOnMs, delayOffMs }) =>
            delayOnMs + delayOffMs === 0 ? MISSING : `${delay(delayOnMs)} / ${delay(delayOffMs)}`,
        },
      ]}
    />
  )
}
