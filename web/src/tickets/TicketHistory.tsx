import type { WireTicketEvent } from '@rogatka/contract/tickets.ts'
import { useTranslation } from 'react-i18next'
import { formatDateTime, MISSING } from '../core/format.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Section } from '../ui/Panel.tsx'
import css from './Tickets.module.css'
import { useTicketHistory } from './useTickets.ts'
import { useTicketTexts } from './useTicketTexts.ts'

/** Changes of a ticket, oldest first. */
export function TicketHistory({ id }: { id: number }) {
  const { t } = useTranslation('tickets')
  const { data, error, refetch } = useTicketHistory(id)
  return (
    <Section title={t('history')}>
      {error && !data && <ErrorBanner error={error} title={t('history-failed')} retry={() => void refetch()} />}
      <ol className={css.history}>
        {data?.map((event) => (
          <li key={`${event.at} ${event.isNew}`}>
            <Event event={event} />
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Event({ event: { at, by, kind, isNew, changes, addedFiles } }: { event: WireTicketEvent }) {
  const { t } = useTranslation('tickets')
  const texts = useTicketTexts()
  const names = {
    title: 'ticket-title',
    status: 'status',
    handleBy: 'handled-by',
    description: 'ui:description',
  } as const
  const format = (field: keyof typeof names, value: string | null) =>
    field === 'status' && value !== null
      ? texts.status(value as Parameters<typeof texts.status>[0])
      : (value ?? MISSING)
  return (
    <>
      <small>
        {formatDateTime(at)} · {by ?? t(kind === 'service' ? 'history-service' : 'portal')} ·{' '}
        {t(isNew ? 'history-added' : addedFiles.length > 0 ? 'history-files' : 'history-changed')}
      </small>
      {addedFiles.length > 0 && <p>{addedFiles.join(', ')}</p>}
      {changes.map(({ field, before, after }) => (
        <p key={field}>
          {t(names[field])}
          {/* Descriptions are too long to be shown twice. */}
          {field !== 'description' && `: ${format(field, before)} → ${format(field, after)}`}
        </p>
      ))}
    </>
  )
}
