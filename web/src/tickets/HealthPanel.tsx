import { Button } from '@mantine/core'
import type { HealthFailure, WireHealthCell } from '@rogatka/contract/tickets-health.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { AlarmShelving } from '../alarms/publicApi.ts'
import { serverNow } from '../core/clock.ts'
import { formatClock, formatMinute } from '../core/format.ts'
import { useRight } from '../core/useSelf.ts'
import { FileIcon } from '../ui/icons.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './Health.module.css'
import type { ShownCell } from './healthOrder.ts'
import { TicketEvents } from './TicketHistory.tsx'
import { useHealthRules } from './useHealthRules.ts'
import { useHealthTexts } from './useHealthTexts.ts'

type WireFailure = WireHealthCell['failures'][number]
type Props = {
  shown: ShownCell
  /** Set when a user opened it: the focus goes to its heading. */
  opened: string | null
  onClose: () => void
}

const beginOf = ({ lastVehicleTime, foundAt }: WireFailure): string => lastVehicleTime ?? foundAt

/** Cause, times, ticket and alarm of a cell. */
export function HealthPanel({ shown, opened, onClose }: Props) {
  const { t } = useTranslation('tickets')
  const texts = useHealthTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  const { station, cell } = shown
  useEffect(() => {
    if (opened !== null) heading.current?.focus()
  }, [opened])
  const [first] = cell.failures
  const begin = first && beginOf(first)
  return (
    <section
      className={css.panel}
      aria-label={texts.title(shown)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <header className={css.panelHead}>
        <h2 ref={heading} tabIndex={-1}>
          {(cell.level === 'failure' || cell.level === 'attention') && (
            <StatusMark status={cell.level === 'failure' ? 'malfunction' : 'attention'} />
          )}
          {texts.title(shown)}
        </h2>
        {begin && (
          <span className={css.since}>
            {t('since-for', {
              time: formatMinute(begin),
              duration: texts.duration(serverNow() - Date.parse(begin)),
            })}
          </span>
        )}
      </header>
      {cell.failures.length === 0 && <Measured cell={cell} />}
      {cell.failures.map((failure) => (
        <FailureDetails key={failure.laneNumber} station={station.location.id} kind={cell.kind} failure={failure} />
      ))}
    </section>
  )
}

/** What was measured, and the limits. */
function Measured({ cell }: { cell: WireHealthCell }) {
  const { value } = useHealthTexts()
  const { t } = useTranslation('tickets')
  const rule = useHealthRules().find(({ kind }) => kind === cell.kind)
  return (
    <p className={css.measured}>
      {cell.level !== 'unknown' && cell.kind !== 'lane-silent' && <b className={css.measuredValue}>{value(cell)}</b>}{' '}
      {rule?.subject}
      {rule?.attention && `, ${t('attention-at', { limit: rule.attention })}`}
      {rule && `, ${t('failure-at', { limit: rule.failure })}`}
    </p>
  )
}

type FailureProps = { station: number; kind: WireHealthCell['kind']; failure: WireFailure }

function FailureDetails({ station, kind, failure }: FailureProps) {
  const { t } = useTranslation('tickets')
  const canOpen = useRight('Tickets')
  const { laneNumber, lastVehicleTime, foundAt, ticket } = failure
  const isAboutData = kind === 'station-silent' || kind === 'lane-silent'
  const found = [
    laneNumber !== null && t('ui:lane-number', { lane: laneNumber }),
    t(ticket ? 'failure-found-ticket' : 'failure-found', { number: ticket?.number }),
  ]
  return (
    <>
      <ol className={css.events}>
        {isAboutData && (
          <FailureEvent at={lastVehicleTime}>{t(lastVehicleTime ? 'last-vehicle' : 'nothing-sent')}</FailureEvent>
        )}
        <FailureEvent at={foundAt}>{found.filter(Boolean).join(': ')}</FailureEvent>
        {ticket && canOpen && (
          <TicketEvents id={ticket.id} render={(at, content) => <FailureEvent at={at}>{content}</FailureEvent>} />
        )}
      </ol>
      <div className={css.panelActions}>
        {ticket && canOpen && (
          <Button
            renderRoot={(props) => <Link to="/tickets/$id" params={{ id: ticket.id }} {...props} />}
            leftSection={<FileIcon />}
          >
            {t('open-ticket', { number: ticket.number })}
          </Button>
        )}
        <AlarmShelving kind={kind} locationId={station} laneNumber={laneNumber} />
      </div>
    </>
  )
}

/** A time with what happened; with its day unless it was today. */
function FailureEvent({ at, children }: { at: HealthFailure['foundAt'] | string | null; children: ReactNode }) {
  const isToday = at !== null && dateOf(new Date(at)) === dateOf(new Date(serverNow()))
  return (
    <li className={css.event}>
      <time className={css.time}>{at === null ? '–' : isToday ? formatClock(at) : formatMinute(at)}</time>
      <span className={css.happened}>{children}</span>
    </li>
  )
}
