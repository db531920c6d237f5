import { VisuallyHidden } from '@mantine/core'
import type { FigureGrouping } from '@rogatka/contract/inspections-figures.ts'
import { axisStart, withLanes } from '@rogatka/domain/inspections/effectiveness.ts'
import { HIT_RATE_TARGET, missesTarget } from '@rogatka/domain/inspections/hitRate.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRight } from '../core/useSelf.ts'
import { StatusMark } from '../ui/StatusMark.tsx'
import { VirtualTable } from '../ui/VirtualTable.tsx'
import css from './Effectiveness.module.css'
import { EffectivenessPanel } from './EffectivenessPanel.tsx'
import type { EffectivenessQuery } from './effectivenessSearch.ts'
import { type FigureGroup, type Rate, useFigures } from './useEffectiveness.ts'
import { useEffectivenessTexts } from './useEffectivenessTexts.ts'

type Row = { key: string; name: ReactNode; rate: Rate }

/** Hit rates by station and lane; a station with a single lane has one row. */
export function StationRates({ query }: { query: EffectivenessQuery }) {
  const { t } = useTranslation('inspections')
  const byStation = useFigures(query, 'location')
  const byLane = useFigures(query, 'lane')
  const failed = byStation.error ? byStation : byLane
  const result = {
    data: byStation.data && byLane.data ? withLanes(byStation.data.groups, byLane.data.groups) : undefined,
    error: failed.error,
    isFetching: failed.isFetching,
    refetch: failed.refetch,
  }
  return (
    <EffectivenessPanel title={t('effectiveness-stations')} result={result}>
      {(groups) => (
        <RateTable
          head={t('effectiveness-station-lane')}
          label={t('effectiveness-stations')}
          rows={groups.map(({ location, laneNumber, hitRate }) => ({
            key: `${location?.id} ${laneNumber}`,
            name:
              laneNumber === null ? (
                <b title={location?.shortName}>{location?.shortName}</b>
              ) : (
                <span className={css.lane}>
                  <VisuallyHidden>{location?.shortName}, </VisuallyHidden>
                  {t('ui:lane-number', { lane: laneNumber })}
                </span>
              ),
            rate: hitRate,
          }))}
        />
      )}
    </EffectivenessPanel>
  )
}

/** Hit rates by shift, by month, and for supervisors by officer; officers are in the order of their names. */
export function ShiftRates({ query }: { query: EffectivenessQuery }) {
  const { t } = useTranslation('inspections')
  const isMasked = useRight('Anonymization')
  const isReviewer = useRight('InspectionReview') && !isMasked
  return (
    <div className={css.stack}>
      <GroupRates
        query={query}
        groupBy="shift"
        title={t('effectiveness-shifts')}
        nameOf={({ shift, shiftEnd }) =>
          shift &&
          (shiftEnd
            ? t('effectiveness-shift-range', { start: shift, end: shiftEnd })
            : t('effectiveness-shift', { start: shift }))
        }
      />
      <GroupRates
        query={query}
        groupBy="month"
        title={t('effectiveness-months')}
        nameOf={({ month }) => month && `${month.slice(5)}.${month.slice(0, 4)}`}
      />
      {isReviewer && (
        <GroupRates
          query={query}
          groupBy="officer"
          title={t('effectiveness-officers')}
          nameOf={({ officer }) => officer?.username ?? null}
        />
      )}
    </div>
  )
}

type GroupProps = {
  query: EffectivenessQuery
  groupBy: FigureGrouping
  title: string
  /** Null: not a group of its own, such as announced ones that nobody has taken over. */
  nameOf: (group: FigureGroup) => string | null
}

function GroupRates({ query, groupBy, title, nameOf }: GroupProps) {
  const { t } = useTranslation('inspections')
  return (
    <EffectivenessPanel title={title} result={useFigures(query, groupBy)}>
      {({ groups }) => (
        <RateTable
          head={t(`effectiveness-by-${groupBy}`)}
          label={title}
          isUnmarked={groupBy === 'officer'}
          rows={groups.flatMap((group) => {
            const name = nameOf(group)
            return name === null ? [] : [{ key: name, name, rate: group.hitRate }]
          })}
        />
      )}
    </EffectivenessPanel>
  )
}

type TableProps = {
  head: string
  label: string
  rows: readonly Row[]
  /** No mark for a missed target: officers are not judged. */
  isUnmarked?: boolean
}

function RateTable({ head, label, rows, isUnmarked = false }: TableProps) {
  const { t } = useTranslation('inspections')
  const { whole } = useEffectivenessTexts()
  const from = axisStart(rows.map(({ rate }) => rate))
  return (
    <VirtualTable<Row>
      label={t('ui:table', { of: label })}
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { key: 'name', head, cell: ({ name }) => <span className={css.name}>{name}</span> },
        { key: 'weighed', head: t('effectiveness-weighed'), cell: ({ rate }) => whole(rate.of) },
        { key: 'hits', head: t('effectiveness-hits'), cell: ({ rate }) => whole(rate.part) },
        {
          key: 'rate',
          head: (
            <span className={css.rate}>
              <span className={css.scale} aria-hidden="true">
                <i>{from}</i>
                <i>100</i>
              </span>
              <span>{t('effectiveness-rate')}</span>
            </span>
          ),
          cell: ({ rate }) => <RateCell rate={rate} from={from} isMarked={!isUnmarked && missesTarget(rate)} />,
        },
      ]}
    />
  )
}

function RateCell({ rate, from, isMarked }: { rate: Rate; from: number; isMarked: boolean }) {
  const { t } = useTranslation('inspections')
  const texts = useEffectivenessTexts()
  const interval = texts.interval(rate)
  if (interval === null) return <span className={css.few}>{texts.rate(rate)}</span>
  return (
    <span className={css.rate} title={interval}>
      <Whisker rate={rate} from={from} />
      <b className={isMarked ? css.warning : undefined}>
        {isMarked && <StatusMark status="attention" label={t('effectiveness-target-missed')} />}
        {texts.rate(rate)}
        <VisuallyHidden> ({interval})</VisuallyHidden>
      </b>
    </span>
  )
}

/** px */
const WHISKER = { width: 50, height: 14, margin: 5 }

/** The share as a point, its interval as a whisker, the target dotted. */
function Whisker({ rate: { percent, low, high }, from }: { rate: Rate; from: number }) {
  const { width, height, margin } = WHISKER
  const x = (value: number | null) => margin + ((width - 2 * margin) * ((value ?? from) - from)) / (100 - from)
  const y = height / 2
  return (
    <svg className={css.whisker} width={width} height={height} aria-hidden="true">
      <path className={css.track} d={`M${margin} ${y}H${width - margin}`} />
      <path className={css.target} d={`M${x(HIT_RATE_TARGET)} 0V${height}`} />
      <path className={css.interval} d={`M${x(low)} ${y}H${x(high)}`} />
      <circle className={css.point} cx={x(percent)} cy={y} r="4" />
    </svg>
  )
}
