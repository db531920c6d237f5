import { useTranslation } from 'react-i18next'
import { MISSING } from '../core/format.ts'
import { StatusMark } from '../ui/StatusMark.tsx'
import { VirtualTable } from '../ui/VirtualTable.tsx'
import { shareOf } from './share.ts'
import css from './Traffic.module.css'
import type { Totals } from './totals.ts'
import type { StationSummary } from './useTraffic.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'

/** Months of a year; of fewer the annual average says how many. */
const YEAR = 12

type Props = {
  summaries: readonly StationSummary[]
  before: readonly StationSummary[] | undefined
  total: Totals | undefined
  /** Of how many stations the total is, if not of all: "3 z 5 stacji". */
  adtStations: string | null
  axleStations: string | null
  /** Of the ADT of all stations, percent. */
  change: string | undefined
  /** Vehicles by hour for small charts; absent: there are large ones. */
  hoursOf: ((id: number) => (number | null)[]) | undefined
  max: number
}

/** Figures of each station, and of all. */
export function TrafficTable({ summaries, before, total, adtStations, axleStations, change, hoursOf, max }: Props) {
  const { t } = useTranslation('traffic')
  const texts = useTrafficTexts()
  const { number, percent } = texts
  const adtBefore = (id: number) => before?.find(({ location }) => location.id === id)?.adt
  const sumOf = (value: number | null, stations: string | null) => (
    <>
      {whole(value)}
      {stations && <small className={css.quiet}> {stations}</small>}
    </>
  )
  const whole = (value: number | null) => number(value === null ? null : Math.round(value))
  return (
    <VirtualTable
      label={t('ui:table', { of: t('by-station') })}
      rows={summaries}
      keyOf={({ location }) => location.id}
      columns={[
        {
          key: 'station',
          head: t('station'),
          cell: ({ location }) => (
            <>
              {location.shortName} <small className={css.quiet}>{location.chainage && `km ${location.chainage}`}</small>
            </>
          ),
          foot: t('total'),
        },
        ...(hoursOf
          ? [
              {
                key: 'hours',
                head: t('vehicles-per-hour'),
                cell: ({ location }: StationSummary) => <Spark hours={hoursOf(location.id)} max={max} />,
                foot: '',
                isText: true,
              },
            ]
          : []),
        {
          key: 'adt',
          head: t('head-adt'),
          cell: ({ adt }) => <b>{whole(adt)}</b>,
          foot: total && sumOf(total.adt, adtStations),
        },
        {
          key: 'change',
          head: t('head-change'),
          cell: ({ adt, location }) => texts.change(adt, adtBefore(location.id)),
          foot: change ?? MISSING,
        },
        {
          key: 'aadt',
          head: t('head-aadt'),
          cell: ({ aadt, months }) => (
            <>
              {whole(aadt)}
              {aadt !== null && months < YEAR && (
                <small className={css.quiet}> {t('of-months', { count: months })}</small>
              )}
            </>
          ),
          foot: MISSING,
        },
        {
          key: 'heavy',
          head: t('head-heavy'),
          cell: ({ adtHeavy }) => whole(adtHeavy),
          foot: total && sumOf(total.adtHeavy, adtStations),
        },
        {
          key: 'heavyShare',
          head: t('head-heavy-share'),
          cell: ({ heavyVehicles, vehicles }) => percent(shareOf(heavyVehicles, vehicles)),
          foot: total && percent(total.heavyShare),
        },
        {
          key: 'overloaded',
          head: t('head-overloaded'),
          cell: ({ overloadedShare }) => percent(overloadedShare),
          foot: total && percent(total.overloadedShare),
        },
        {
          key: 'v85',
          head: 'V85 [km/h]',
          cell: ({ v85, speedLimit }) =>
            v85 !== null && speedLimit !== null && v85 > speedLimit ? (
              <span className={css.attention}>
                <StatusMark status="attention" label={t('above-limit')} />
                {number(v85)}
              </span>
            ) : (
              number(v85)
            ),
          foot: MISSING,
        },
        {
          key: 'limit',
          head: t('head-limit'),
          cell: ({ speedLimit }) => <span className={css.quiet}>{number(speedLimit)}</span>,
          foot: MISSING,
        },
        { key: 'headway', head: t('head-headway'), cell: ({ meanHeadway }) => number(meanHeadway, 1), foot: MISSING },
        {
          key: 'axles',
          head: t('head-axles'),
          cell: ({ n100PerDay }) => whole(n100PerDay),
          foot: total && sumOf(total.n100PerDay, axleStations),
        },
      ]}
    />
  )
}

/** The hours of a day as small bars; the figures are in the table of the download. */
function Spark({ hours, max }: { hours: readonly (number | null)[]; max: number }) {
  return (
    <svg className={css.spark} viewBox="0 0 120 22" aria-hidden="true">
      {hours.map((value, hour) => {
        const height = max > 0 ? (22 * (value ?? 0)) / max : 0
        // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its position
        return <rect key={hour} x={hour * 5} y={22 - height} width={4} height={height} />
      })}
    </svg>
  )
}
