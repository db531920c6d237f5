import type { outboxMessage } from '@rogatka/contract/activity.ts'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { formatDateTime, MISSING } from '../core/format.ts'
import type { Column } from '../ui/DataTable.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './Activity.module.css'
import { type ByTime, PagedList } from './PagedList.tsx'
import { useOutbox } from './useActivity.ts'

type Message = z.input<typeof outboxMessage>

/** Messages to people, sent and pending. */
export function OutboxList(byTime: ByTime) {
  const { t } = useTranslation('activity')
  return (
    <PagedList
      label={t('tab-outbox')}
      result={useOutbox({ page: byTime.page, orderDirection: byTime.direction })}
      columns={useColumns()}
      {...byTime}
      level={{ column: 'createdAt', direction: byTime.direction }}
      nothing={t('no-outbox')}
    />
  )
}

function useColumns(): Column<Message>[] {
  const { t, i18n } = useTranslation('activity')
  return [
    { key: 'recipient', title: t('recipient'), head: true, cell: ({ recipient }) => recipient },
    {
      key: 'kind',
      title: t('kind'),
      cell: ({ kind }) => (i18n.exists(`activity:message-${kind}`) ? t(`message-${kind}`) : kind),
    },
    { key: 'language', title: t('core:language'), cell: ({ language }) => language.toUpperCase() },
    { key: 'createdAt', first: 'desc', title: t('created-at'), cell: ({ createdAt }) => formatDateTime(createdAt) },
    {
      key: 'sentAt',
      title: t('sent-at'),
      cell: ({ sentAt }) => (
        <span className={css.status}>
          <StatusMark status={sentAt ? 'available' : 'unavailable'} />
          {sentAt ? formatDateTime(sentAt) : t('waiting')}
        </span>
      ),
    },
    { key: 'attempts', title: t('attempts'), right: true, cell: ({ attempts }) => attempts },
    { key: 'lastError', title: t('last-error'), wide: true, cell: ({ lastError }) => lastError ?? MISSING },
  ]
}
