import type { WireTicketEvent } from '@rogatka/contract/tickets.ts'
import { Fragment, type ReactNode } from 'react'
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

type EventsProps = { id: number; render: (at: string, content: ReactNode) => ReactNode }

/** Later changes of a ticket, in short: who took it, and its states. */
export function TicketEvents({ id, render }: EventsProps) {
  const { data } = useTicketHistory(id)
  const { change: textOf, author } = useChangeTexts()
  return data
    ?.filter(({ isNew }) => !isNew)
    .map(({ at, by, kind, changes }) => {
      const texts = [...changes.map(textOf), author(by, kind)]
      return changes.length > 0 && <Fragment key={at}>{render(at, texts.join(' · '))}</Fragment>
    })
}

/** Texts of a change: title and description only by name. */
function useChangeTexts() {
  const { t } = useTranslation('tickets')
  const texts = useTicketTexts()
  const change = ({ field, after }: WireTicketEvent['changes'][number]): string => {
    if (field === 'status') return `${t('status')}: ${texts.status(after as Parameters<typeof texts.status>[0])}`
    if (field === 'handleBy') return `${t('handled-by')}: ${after ?? MISSING}`
    return t('change-of', { field: t(field === 'title' ? 'ticket-title' : 'ui:description') })
  }
  return {
    change,
    author: (by: string | null, kind: WireTicketEvent['kind']) =>
      by ?? t(kind === 'service' ? 'history-service' : 'portal'),
  }
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
