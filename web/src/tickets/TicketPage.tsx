import { Button } from '@mantine/core'
import type { WireTicket } from '@rogatka/contract/tickets.ts'
import { downtimeMinutes } from '@rogatka/domain/tickets/downtime.ts'
import { durationText } from '@rogatka/domain/tickets/duration.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { ApiFailure } from '../core/failure.ts'
import { formatMinute, MISSING } from '../core/format.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useTitle } from '../core/useTitle.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { FormTitle } from '../ui/FormBar.tsx'
import { PencilIcon } from '../ui/icons.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Columns, Panel, Section } from '../ui/Panel.tsx'
import { AddFiles } from './AddFiles.tsx'
import { Attachments } from './Attachments.tsx'
import { TicketHistory } from './TicketHistory.tsx'
import css from './Tickets.module.css'
import { ticketQuery } from './useTickets.ts'
import { useTicketTexts } from './useTicketTexts.ts'

/** Detail page of a ticket. */
export function TicketPage() {
  const { t } = useTranslation('tickets')
  const { id } = useParams({ from: '/frame/tickets/$id' })
  const { data: ticket, error, refetch } = useQuery(ticketQuery(id))
  const navigate = useNavigate()
  const back = () => void navigate({ to: '/tickets' })
  const edit = () => void navigate({ to: '/tickets/$id/edit', params: { id } })
  const name = ticket ? t('ticket-number', { number: ticket.number }) : t('ticket')
  useTitle(name)
  useShortcuts([{ key: 'Escape', label: t('back-to-list'), run: back }])
  return (
    <PageLayout
      title={<FormTitle back={t('core:nav-tickets')} onBack={back} title={name} />}
      actions={
        ticket && (
          <Button leftSection={<PencilIcon />} onClick={edit}>
            {t('ui:edit')}
          </Button>
        )
      }
    >
      {!ticket && !error && <Loading label={t('loading-ticket')} />}
      {error && <TicketFailure error={error} retry={() => void refetch()} />}
      {ticket && (
        <Columns wide>
          <Panel>
            <Section title={ticket.title}>
              <p className={css.text}>{ticket.description || t('no-description')}</p>
            </Section>
            <TicketHistory id={ticket.id} />
            <Section title={t('attachments')}>
              <div className={css.attachments}>
                {ticket.attachments.length > 0 && <Attachments ticket={ticket} />}
                <AddFiles ticket={ticket} />
              </div>
            </Section>
          </Panel>
          <Panel>
            <Facts ticket={ticket} />
          </Panel>
        </Columns>
      )}
    </PageLayout>
  )
}

type FailureProps = { error: unknown; retry: () => void }

/** A missing ticket, or another error with a retry button. */
export function TicketFailure({ error, retry }: FailureProps) {
  const { t } = useTranslation('tickets')
  return error instanceof ApiFailure && error.status === 404 ? (
    <EmptyState title={t('not-found')} hint={t('not-found-hint')} />
  ) : (
    <ErrorBanner error={error} title={t('ticket-failed')} retry={retry} />
  )
}

function Facts({ ticket }: { ticket: WireTicket }) {
  const { t } = useTranslation('tickets')
  const texts = useTicketTexts()
  const { created_at, close_at, location, laneNumber, healthKind, serviceNumber } = ticket
  const minutes = downtimeMinutes(
    { reportedAt: new Date(created_at), removedAt: close_at ? new Date(close_at) : null },
    new Date(serverNow()),
  )
  const stationAndLane =
    location && [location.shortName, laneNumber && t('ui:lane-number', { lane: laneNumber })].filter(Boolean).join(', ')
  const facts: [string, string | null][] = [
    [t('status'), texts.status(ticket.status)],
    [t('reported'), formatMinute(created_at)],
    [t('removed'), close_at ? formatMinute(close_at) : t('not-completed')],
    [t('duration'), durationText(minutes)],
    [t('handled-by'), ticket.handleBy ?? (ticket.serviceOwner === null ? MISSING : null)],
    [t('service-owner'), ticket.serviceOwner],
    [t('reporter'), ticket.reporterName ?? (healthKind ? t('portal') : MISSING)],
    [t('ui:email'), ticket.reporterEmail],
    [t('ui:station'), stationAndLane],
    [t('sign'), ticket.sign],
    [t('kind'), healthKind && t(`kind-${healthKind}`)],
    [t('service-number'), serviceNumber],
    [t('context-page'), ticket.context?.page ?? null],
    [t('context-version'), ticket.context?.version ?? null],
    [t('context-requests'), ticket.context?.listRequests == null ? null : String(ticket.context.listRequests)],
  ]
  return (
    <dl className={css.facts}>
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
