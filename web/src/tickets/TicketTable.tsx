import type { WireFoundTicket, WireMonthTicket } from '@rogatka/contract/tickets.ts'
import { durationText } from '@rogatka/domain/tickets/duration.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatMinute } from '../core/format.ts'
import { type Column, DataTable, PAGE_ORDER } from '../ui/DataTable.tsx'
import { PencilIcon } from '../ui/icons.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import stretched from '../ui/stretchedLink.module.css'
import css from './Tickets.module.css'

type Row = WireFoundTicket & Partial<Pick<WireMonthTicket, 'totalDurationMinutes'>>

type Props = { tickets: readonly Row[]; stale: boolean; withTotal?: boolean }

/** Table of tickets, with the total duration within a month; a row opens its ticket. */
export function TicketTable({ tickets, stale, withTotal = true }: Props) {
  const { t } = useTranslation('tickets')
  const columns = useColumns().filter(({ key }) => withTotal || key !== 'total')
  return (
    <DataTable
      label={t('core:nav-tickets')}
      columns={columns}
      rows={tickets}
      keyOf={({ id }) => id}
      stale={stale}
      order={withTotal ? undefined : PAGE_ORDER}
    />
  )
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation('tickets')
  return [
    { key: 'number', title: t('number'), right: true, sortBy: ({ number }) => number, cell: ({ number }) => number },
    {
      key: 'title',
      title: t('ticket-title'),
      head: true,
      wide: true,
      sortBy: ({ title }) => title,
      // The link covers the whole row.
      cell: ({ id, title }) => (
        <Link to="/tickets/$id" params={{ id }} className={`${stretched.link} ${css.rowLink}`}>
          {title}
        </Link>
      ),
    },
    {
      key: 'reported',
      title: t('reported'),
      first: 'desc',
      sortBy: ({ created_at }) => created_at,
      cell: ({ created_at }) => formatMinute(created_at),
    },
    {
      key: 'removed',
      title: t('removed'),
      first: 'desc',
      sortBy: ({ close_at }) => close_at,
      cell: ({ close_at }) =>
        close_at ? (
          formatMinute(close_at)
        ) : (
          <span className={css.open}>
            <StatusMark status="attention" />
            {t('not-completed')}
          </span>
        ),
    },
    {
      key: 'duration',
      title: t('duration'),
      right: true,
      first: 'desc',
      sortBy: ({ durationMinutes }) => durationMinutes,
      cell: ({ durationMinutes }) => durationText(durationMinutes),
    },
    {
      key: 'total',
      title: t('total-duration'),
      right: true,
      first: 'desc',
      sortBy: ({ totalDurationMinutes }) => totalDurationMinutes,
      cell: ({ totalDurationMinutes }) => durationText(totalDurationMinutes ?? 0),
    },
    {
      key: 'edit',
      title: t('ui:edit'),
      plain: true,
      right: true,
      cell: ({ id, number }) => (
        <Link to="/tickets/$id/edit" params={{ id }} className={css.edit} aria-label={t('edit-numbered', { number })}>
          <PencilIcon size={14} />
          {t('ui:edit')}
        </Link>
      ),
    },
  ]
}
