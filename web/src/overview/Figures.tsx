import { gaugeOf } from '@rogatka/domain/overview/gauge.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { MISSING, useFormat } from '../core/format.ts'
import { StatusMark } from '../ui/StatusMark.tsx'
import mark from './marks.module.css'
import css from './StationStrip.module.css'
import type { OverviewRow } from './useOverview.ts'
import { SIGN_MARKS, useOverviewTexts } from './useOverviewTexts.ts'

const join = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')

/** Vehicles of the last hour beside the usual number, with a gauge. */
export function PerHour({ row: { condition } }: { row: OverviewRow }) {
  const { t } = useTranslation('overview')
  const { number } = useFormat()
  const { vehicles, usual, unusual } = condition.perHour
  const gauge = vehicles !== null && usual ? gaugeOf(vehicles, usual) : null
  return (
    <div className={css.perHour} aria-hidden="true">
      <div className={join(css.figure, vehicles === null && css.none, unusual && css.unusual)}>
        {unusual && <StatusMark status="attention" />}
        {number(vehicles)}
      </div>
      <div className={css.label}>{t('usually', { value: number(usual?.median ?? null) })}</div>
      <div className={join(css.gauge, !gauge && css.noGauge)}>
        {gauge && (
          <>
            <i className={css.band} style={{ left: `${100 * gauge.from}%`, right: `${100 * (1 - gauge.to)}%` }} />
            <i className={join(css.tick, unusual && css.unusual)} style={{ left: `${100 * gauge.at}%` }} />
          </>
        )}
      </div>
    </div>
  )
}

/** Share of overloaded vehicles beside the usual share. */
export function Overloaded({ row: { condition } }: { row: OverviewRow }) {
  const { t } = useTranslation('overview')
  const { number } = useFormat()
  const { percent, usual, weighed } = condition.overloaded
  return (
    <div className={css.overloaded} aria-hidden="true" title={weighed === null ? '' : t('weighed', { count: weighed })}>
      <div className={join(css.figure, percent === null && css.none)}>
        {percent === null ? (
          MISSING
        ) : (
          <>
            {number(percent, 1)}
            <small>%</small>
          </>
        )}
      </div>
      <div className={css.label}>{t('usually', { value: number(usual, 1) })}</div>
    </div>
  )
}

/** Hits on their way. */
export function Wanted({ row: { condition } }: { row: OverviewRow }) {
  const { number } = useFormat()
  const { wanted } = condition
  return (
    <div className={css.wanted} aria-hidden="true">
      <div className={join(css.figure, !wanted && css.none)}>
        {wanted ? <b className={`${mark.chip} ${css.chip}`}>{number(wanted)}</b> : number(wanted)}
      </div>
    </div>
  )
}

/** Open tickets of the station, a link to them. */
export const Tickets = ({ row }: { row: OverviewRow }) => (
  <div className={join(css.tickets, css.figure, !row.condition.tickets && css.none)}>
    <TicketCount row={row} />
  </div>
)

/** The number of open tickets, a link to them for users who may open them. */
export function TicketCount({ row: { id, condition } }: { row: OverviewRow }) {
  const { t } = useTranslation('overview')
  const { number } = useFormat()
  const { tickets } = condition
  if (!tickets) return <span aria-hidden="true">{number(tickets)}</span>
  return (
    <Link
      to="/tickets"
      search={{ open: true, station: id }}
      className={css.ticketLink}
      aria-label={t('spoken-tickets', { count: tickets })}
    >
      {number(tickets)}
    </Link>
  )
}

/** The worst state of the signs, and how many work. */
export function Signs({ row: { condition }, isStale }: { row: OverviewRow; isStale: boolean }) {
  const { signState, signCount } = useOverviewTexts()
  const { signs } = condition
  if (!signs) return <div className={css.signs} />
  const state = signState(signs)
  return (
    <div className={css.signs} aria-hidden="true">
      <span title={state}>
        <StatusMark status={isStale ? 'unknown' : SIGN_MARKS[signs.state]} />
        <b>{state}</b>
      </span>
      <span className={css.label}>{signCount(signs)}</span>
    </div>
  )
}
