import { chainageKm, type Sum, sumUp } from '@rogatka/domain/overview/roads.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MISSING, useFormat } from '../core/format.ts'
import { StatusMark } from '../ui/StatusMark.tsx'
import type { StationJoin } from '../ui/stationJoin.ts'
import stretched from '../ui/stretchedLink.module.css'
import mark from './marks.module.css'
import { isAbnormal, type Road } from './orderRows.ts'
import css from './Road.module.css'
import { type RowState, rowStateOf } from './useOverview.ts'
import { useOverviewTexts } from './useOverviewTexts.ts'

type Props = {
  road: Road
  /** px a km, the same for all roads. */
  scale: number
  isOpen: boolean
  isStale: boolean
  join: StationJoin
}

/** A road in one line: its stations by chainage, and their figures together. Opens the road, or closes it. */
export function RoadLine({ road: { name, rows }, scale, isOpen, isStale, join }: Props) {
  const { roadSentence } = useOverviewTexts()
  const sum = sumUp(rows.map(({ condition }) => condition))
  const ids = rows.map(({ id }) => id)
  const isJoined = !isOpen && ids.some((id) => join.joined.includes(id))
  const length = Math.max(0, ...rows.map(({ location }) => chainageKm(location.chainage) ?? 0)) * scale
  return (
    <div
      className={isJoined ? `${css.road} ${css.joined} ${mark.joined}` : css.road}
      data-strip={name}
      {...join.propsFor(ids)}
    >
      <Link
        to="/overview"
        search={isOpen ? {} : { road: name }}
        replace={isOpen}
        className={`${stretched.link} ${mark.roadNumber} ${css.roadNumber}`}
        aria-label={roadSentence(name, sum)}
        aria-expanded={isOpen}
      >
        {name}
      </Link>
      <div className={css.line} aria-hidden="true">
        <i className={css.axis} style={{ width: length }} />
        {rows.map((row) => {
          const km = chainageKm(row.location.chainage)
          if (km === null) return null
          const state = rowStateOf(row)
          return (
            <span
              key={row.id}
              className={css.station}
              style={{ left: km * scale }}
              data-abnormal={isAbnormal(row) || undefined}
            >
              <RoadMark state={isStale ? 'unknown' : state} />
            </span>
          )
        })}
      </div>
      <Sums sum={sum} />
    </div>
  )
}

const MARKS = { bad: 'malfunction', attention: 'attention', unknown: 'unknown', working: 'working' } as const

const RoadMark = ({ state }: { state: RowState }) =>
  state === 'wanted' ? <i className={css.barrier} /> : <StatusMark status={MARKS[state]} />

/** Figures of all roads, below them. */
export function SumLine({ roads }: { roads: readonly Road[] }) {
  const { t } = useTranslation('overview')
  const { roadSentence } = useOverviewTexts()
  const sum = sumUp(roads.flatMap(({ rows }) => rows.map(({ condition }) => condition)))
  return (
    <div className={`${css.road} ${css.sum}`} role="img" aria-label={roadSentence(t('total'), sum)}>
      <span>{t('total')}</span>
      <span />
      <Sums sum={sum} plain />
    </div>
  )
}

export function RoadHead() {
  const { t } = useTranslation('overview')
  return (
    <div className={`${css.road} ${css.head}`} aria-hidden="true">
      <span>{t('road')}</span>
      <span className={css.line}>{t('same-scale')}</span>
      <span className={css.right}>{t('working')}</span>
      <span className={`${css.right} ${css.wide}`}>{t('per-hour-short')}</span>
      <span className={css.right}>{t('to-usual')}</span>
      <span className={`${css.right} ${css.wide}`}>{t('overloaded-short')}</span>
      <span className={css.right}>{t('wanted-short')}</span>
      <span className={`${css.right} ${css.wide}`}>{t('tickets-short')}</span>
      <span className={css.right}>{t('signs')}</span>
    </div>
  )
}

/** Figures of a road; `plain`: without marks, because each is at its road. */
function Sums({ sum, plain = false }: { sum: Sum; plain?: boolean }) {
  const { t } = useTranslation('overview')
  const { number } = useFormat()
  const { difference } = useOverviewTexts()
  const isBroken = !plain && sum.working < sum.stations
  const isUnusual = !plain && sum.unusual
  const isFaulty = !plain && sum.faultySigns
  return (
    <>
      <Figure bad={isBroken} quiet={!plain && !isBroken}>
        {t('of', { part: number(sum.working), total: number(sum.stations) })}
      </Figure>
      <Figure wide>{number(sum.vehicles)}</Figure>
      <Figure attention={isUnusual} quiet={!plain && !isUnusual}>
        {difference(sum.difference)}
      </Figure>
      <Figure wide>{number(sum.overloaded, 1)}</Figure>
      <Figure quiet={!sum.wanted}>
        {sum.wanted && !plain ? <b className={`${mark.chip} ${css.chip}`}>{sum.wanted}</b> : number(sum.wanted)}
      </Figure>
      <Figure wide quiet={!sum.tickets}>
        {number(sum.tickets)}
      </Figure>
      <Figure bad={isFaulty} quiet={!plain && !isFaulty}>
        {sum.signs === null ? MISSING : t('of', { part: number(sum.workingSigns), total: number(sum.signs) })}
      </Figure>
    </>
  )
}

type FigureProps = {
  bad?: boolean
  attention?: boolean
  quiet?: boolean
  /** Not on phones. */
  wide?: boolean
  children: ReactNode
}

function Figure({ bad = false, attention = false, quiet = false, wide = false, children }: FigureProps) {
  const names = [css.figure, bad && css.bad, attention && css.attention, quiet && css.quiet, wide && css.wide]
  return (
    <span className={names.filter(Boolean).join(' ')} aria-hidden="true">
      {bad && <StatusMark status="malfunction" />}
      {attention && <StatusMark status="attention" />}
      {children}
    </span>
  )
}
