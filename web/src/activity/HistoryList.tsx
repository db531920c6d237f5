import { Button } from '@mantine/core'
import { report, type WireActivity } from '@rogatka/contract/activity.ts'
import { listPages } from '@rogatka/domain/core/listDocument.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { download, useDownload } from '../core/downloads.ts'
import { formatDateTime, MISSING } from '../core/format.ts'
import { useReportSize } from '../core/frame/useReportSize.tsx'
import type { Column } from '../ui/DataTable.tsx'
import { FileIcon } from '../ui/icons.tsx'
import { ListToolbar } from '../ui/ListToolbar.tsx'
import css from './Activity.module.css'
import { type ByTime, PagedList } from './PagedList.tsx'
import { type ActivityQuery, useActivity } from './useActivity.ts'
import { useEventName } from './useEventName.ts'
import { useUserLog } from './useUserLog.ts'

type Props = ByTime & { query: ActivityQuery }

/** Visits: logins, live lists of stations and signs, with start and end. */
export function HistoryList({ query, ...byTime }: Props) {
  const { t } = useTranslation('activity')
  const result = useActivity(query, { page: byTime.page, orderDirection: byTime.direction })
  return (
    <PagedList
      label={t('tab-activity')}
      result={result}
      columns={useColumns()}
      {...byTime}
      level={{ column: 'from', direction: byTime.direction }}
      nothing={t('no-activity')}
      tools={<Reports query={query} total={result.data?.totalCount} />}
    />
  )
}

function useColumns(): Column<WireActivity>[] {
  const { t } = useTranslation('activity')
  const eventName = useEventName()
  return [
    { key: 'user', title: t('user'), head: true, cell: ({ user }) => user.username },
    { key: 'event', title: t('event'), cell: ({ eventType }) => eventName(eventType) },
    {
      key: 'place',
      title: t('station-or-sign'),
      cell: ({ location, vms, variant }) => {
        const sign = vms && (vms.roadNumber ? `${vms.roadNumber} ${vms.chainage}` : t('sign', { id: vms.id }))
        return [location?.shortName, sign, variant].filter(Boolean).join(' · ') || MISSING
      },
    },
    { key: 'from', first: 'desc', title: t('from'), cell: ({ loginAt }) => formatDateTime(loginAt) },
    {
      key: 'to',
      title: t('to'),
      cell: ({ loginAt, logoutAt }) => (loginAt && !logoutAt ? t('lasting') : formatDateTime(logoutAt)),
    },
    { key: 'ip', title: t('ip'), cell: ({ ip }) => ip ?? MISSING },
  ]
}

const DOWNLOAD_GROUP = 'activity'
const TYPES = ['pdf', 'xlsx'] as const
/** Layout of the PDF: issuer, number and three criteria; the count. */
const LIST = { criteria: 5, blocks: [1] }

/** Downloads of the history; of a selected user also the log of seven days. */
function Reports({ query, total }: { query: ActivityQuery; total: number | undefined }) {
  const { t } = useTranslation('activity')
  const running = useDownload(DOWNLOAD_GROUP)
  const log = useUserLog()
  const { userId, eventType, ...range } = query
  const startDownload = (reportType: (typeof TYPES)[number]) =>
    void download({
      group: DOWNLOAD_GROUP,
      item: reportType,
      failure: t('report-failed', { type: reportType.toUpperCase() }),
      requestLink: (signal) =>
        call(report, {
          query: { ...range, userId, eventTypes: eventType ? String(eventType) : undefined, reportType },
          signal,
        }),
    })
  const { textOf, select, dialog } = useReportSize<(typeof TYPES)[number]>({
    sizeOf: (type) => (total ? (type === 'pdf' ? { pages: listPages(total, LIST) } : { rows: total }) : null),
    start: startDownload,
  })
  return (
    <ListToolbar.Actions>
      {dialog}
      {total === 0 && <span className={css.reason}>{t('report-nothing')}</span>}
      {TYPES.map((type) => (
        <Button
          key={type}
          variant="default"
          leftSection={<FileIcon />}
          loading={running?.item === type}
          disabled={!total || running !== null}
          aria-label={t('report', { type: type.toUpperCase() })}
          title={textOf(type) ?? undefined}
          onClick={() => select(type)}
        >
          {type.toUpperCase()}
        </Button>
      ))}
      {userId !== undefined && (
        <Button variant="default" leftSection={<FileIcon />} loading={log.isRunning} onClick={() => log.fetch(userId)}>
          {t('log')}
        </Button>
      )}
    </ListToolbar.Actions>
  )
}
