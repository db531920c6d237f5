import { severityOf } from '@rogatka/domain/overview/roads.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { StatusMark } from '../ui/StatusMark.tsx'
import type { StationJoin } from '../ui/stationJoin.ts'
import stretched from '../ui/stretchedLink.module.css'
import { Overloaded, PerHour, Signs, Tickets, Wanted } from './Figures.tsx'
import mark from './marks.module.css'
import { StationConnection } from './StationConnection.tsx'
import css from './StationStrip.module.css'
import type { OverviewRow } from './useOverview.ts'
import { nameWithoutRoad, useOverviewTexts } from './useOverviewTexts.ts'
import type { Traffic } from './useTraffic.ts'
import { Way } from './Way.tsx'

type Props = { row: OverviewRow; traffic: Traffic; isStale: boolean; join: StationJoin }

/** A station as a strip: its condition, the way to its checkpoint, and its figures. Opens its live list. */
export function StationStrip({ row, traffic, isStale, join }: Props) {
  const { t } = useTranslation('overview')
  const { stationSentence } = useOverviewTexts()
  const { location, condition } = row
  const severity = severityOf(condition, row.alarm)
  // What the figures of the strip do not show.
  const isByAlarm = severity !== null && severity !== severityOf(condition)
  const station = traffic?.get(row.id)
  const className = [
    css.strip,
    severity && css[severity],
    condition.silentSince !== null && css.silent,
    join.joined.includes(row.id) && `${css.joined} ${mark.joined}`,
  ]
  return (
    <li>
      <article className={className.filter(Boolean).join(' ')} data-strip={row.id} {...join.propsFor([row.id])}>
        <i className={css.edge} />
        <div className={css.identity}>
          <span className={css.road} aria-hidden="true">
            <span className={`${mark.roadNumber} ${css.roadNumber}`}>{location.roadNumber}</span>
            {isByAlarm && (
              <span title={t(severity === 'bad' ? 'alarm-high' : 'alarm-medium')}>
                <StatusMark status={severity === 'bad' ? 'malfunction' : 'attention'} />
              </span>
            )}
          </span>
          <Link
            to="/"
            search={{ step: 3, locations: [row.id] }}
            className={`${stretched.link} ${css.name}`}
            aria-label={stationSentence(row)}
          >
            {nameWithoutRoad(row)}
          </Link>
          <StationConnection row={row} newest={station?.newest} isStale={isStale} />
        </div>
        <Way row={row} vehicles={traffic && (station?.vehicles ?? [])} />
        <PerHour row={row} />
        <Overloaded row={row} />
        <Wanted row={row} />
        <Tickets row={row} />
        <Signs row={row} isStale={isStale} />
      </article>
    </li>
  )
}
