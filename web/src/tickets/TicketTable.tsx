import type { WireMonthTicket } from '@rogatka/contract/tickets.ts'
import { durationText } from '@rogatka/domain/tickets/downtime.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatClock, formatDate } from '../core/format.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { PencilIcon } from '../ui/icons.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './Tickets.module.css'

type Props = { tickets: readonly WireMonthTicket[]; stale: boolean }

/** The failures with what each added to the time of the month; a row opens its failure. */
export function TicketTable({ tickets, stale }: Props) {
  const { t } = useTranslation('tickets')
  return <DataTable label={t('title')} columns={useColumns()} rows={tickets} keyOf={({ id }) => id} stale={stale} />
}

/** DD.MM.YYYY HH:mm: a contract counts minutes. */
export const toMinute = (instant: string) => `${formatDate(instant)} ${formatClock(instant)}`

function useColumns(): Column<WireMonthTicket>[] {
  const { t } = useTranslation('tickets')
  return [
    { key: 'number', title: t('number'), right: true, cell: ({ number }) => number },
    {
      key: 'title',
      title: t('ticket-title'),
      head: true,
      wide: true,
      // The whole row belongs to this link.
      cell: ({ id, title }) => (
        <Link to="/tickets/$id" params={{ id }} className={css.rowLink}>
          {title}
        </Link>
      ),
    },
    { key: 'reported', title: t('reported'), cell: ({ created_at }) => toMinute(created_at) },
    {
      key: 'removed',
      title: t('removed'),
      cell: ({ close_at }) =>
        close_at ? (
          toMinute(close_at)
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
      cell: ({ durationMinutes }) => durationText(durationMinutes),
    },
    {
      key: 'total',
      title: t('total-duration'),
      right: true,
      cell: ({ totalDurationMinutes }) => durationText(totalDurationMinutes),
    },
    {
      key: 'edit',
      title: t('edit'),
      plain: true,
      right: true,
      cell: ({ id, number }) => (
        <Link to="/tickets/$id/edit" params={{ id }} className={css.edit} aria-label={t('edit-which', { number })}>
          <PencilIcon size={14} />
          {t('edit')}
        </Link>
      ),
    },
  ]
}
