import { Select } from '@mantine/core'
import { ALL_LANES } from '@rogatka/contract/inspections-figures.ts'
import { differenceOption } from '@rogatka/domain/inspections/differenceChart.ts'
import { criteria, differenceOf } from '@rogatka/domain/inspections/differences.ts'
import { laneOfChart, lanesOfChart } from '@rogatka/domain/inspections/effectiveness.ts'
import { MIN_FOR_RATE } from '@rogatka/domain/inspections/hitRate.ts'
import { tolerances } from '@rogatka/domain/vehicle/tolerance.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMinute, formatNumber, formatTonnes } from '../core/format.ts'
import { useLanguage } from '../core/language.ts'
import { useChartOption } from '../core/useChartOption.ts'
import { Chart } from '../ui/chart/Chart.tsx'
import { VirtualTable } from '../ui/VirtualTable.tsx'
import css from './Effectiveness.module.css'
import { EffectivenessPanel } from './EffectivenessPanel.tsx'
import type { EffectivenessQuery } from './effectivenessSearch.ts'
import { type AccuracyLane, type PairsResult, type useAccuracy, usePairs } from './useEffectiveness.ts'
import { useEffectivenessTexts } from './useEffectivenessTexts.ts'

const HEIGHT = 244
const ALL = String(ALL_LANES)

type Props = {
  query: EffectivenessQuery
  accuracy: ReturnType<typeof useAccuracy>
  /** Lane id; 0: all; undefined: the first lane with pairs. */
  chosen: number | undefined
  onChoose: (lane: number) => void
}

/** Differences of WIM against static: the chart of a lane, or of all, and the figures by criterion. */
export function EffectivenessPairs({ query, accuracy, chosen, onChoose }: Props) {
  const { t } = useTranslation('inspections')
  const { laneName } = useEffectivenessTexts()
  const lanes = accuracy.data?.lanes ?? []
  const withPairs = lanesOfChart(lanes, chosen)
  const lane = laneOfChart(lanes, chosen)
  const result = usePairs(query, lane?.lane.id, !accuracy.isPending)
  const nameOf = ({ location, lane }: AccuracyLane) => laneName(location.shortName, lane.laneNumber)
  const name = lane ? nameOf(lane) : t('effectiveness-all-lanes')
  return (
    <EffectivenessPanel
      title={t('effectiveness-differences')}
      note={result.data?.isBiased && t('effectiveness-biased')}
      result={result}
    >
      {(data) => (
        <>
          <div className={css.choice}>
            <Select
              aria-label={t('effectiveness-lane-of-chart')}
              data={[
                ...withPairs.map((one) => ({ value: String(one.lane.id), label: nameOf(one) })),
                { value: ALL, label: t('effectiveness-all-lanes') },
              ]}
              value={lane ? String(lane.lane.id) : ALL}
              allowDeselect={false}
              onChange={(value) => onChoose(Number(value))}
              comboboxProps={{ transitionProps: { duration: 0 } }}
            />
            <span className={css.note}>{t('effectiveness-axis')}</span>
          </div>
          <Scatter name={name} data={data} lane={lane} />
          <DifferenceTable data={data} label={t('ui:table', { of: name })} />
          <LeftOut data={data} />
        </>
      )}
    </EffectivenessPanel>
  )
}

function Scatter({ name, data, lane }: { name: string; data: PairsResult; lane: AccuracyLane | undefined }) {
  const { t } = useTranslation('inspections')
  const { whole, signed } = useEffectivenessTexts()
  const language = useLanguage()
  const tolerance = lane?.configured ? tolerances[lane.configured].gross : null
  const { content, differences, next } = data
  const chart = useMemo(() => {
    const points = content.flatMap(({ at, pairs }) =>
      pairs
        .filter(({ criterion }) => criterion === 'gross')
        .map(({ wim, static: scale }) => {
          const [percent, kg] = [differenceOf({ wim, scale }), wim - scale]
          const sign = kg > 0 ? '+' : ''
          const figures = `${sign}${formatNumber(language, percent, 1)} % · ${sign}${formatNumber(language, kg)} kg`
          return { wim, scale, label: `${formatMinute(at)}<br>${formatTonnes(language, scale)} t · ${figures}` }
        }),
    )
    const texts = { empty: t('effectiveness-no-pairs'), tonnes: t('effectiveness-static-axis') }
    return { points, tolerance, mean: differences.gross.mean, title: null, texts }
  }, [content, differences, tolerance, language, t])
  const optionFor = useChartOption(differenceOption, chart, HEIGHT)
  const values = chart.points.map(differenceOf)
  const label = [
    t('effectiveness-chart', { name }),
    t('effectiveness-pairs', { count: differences.gross.n, number: whole(differences.gross.n) }),
    values.length > 0 &&
      t('effectiveness-extent', { low: signed(Math.min(...values)), high: signed(Math.max(...values)) }),
  ]
  return (
    <>
      <Chart label={label.filter(Boolean).join(', ')} image={null} height={HEIGHT} optionFor={optionFor} />
      {next !== null && (
        <p className={css.remark}>{t('effectiveness-newest', { number: whole(chart.points.length) })}</p>
      )}
    </>
  )
}

function DifferenceTable({ data: { differences }, label }: { data: PairsResult; label: string }) {
  const { t } = useTranslation('inspections')
  const { whole, tenths, signed, share } = useEffectivenessTexts()
  const shareOf = (part: number, n: number) =>
    n >= MIN_FOR_RATE ? tenths((100 * part) / n) : n === 0 ? tenths(null) : share(part, n)
  return (
    <VirtualTable
      label={label}
      rows={criteria}
      keyOf={(criterion) => criterion}
      columns={[
        {
          key: 'criterion',
          head: t('effectiveness-criterion'),
          cell: (criterion) => t(`effectiveness-criterion-${criterion}`),
        },
        { key: 'n', head: t('effectiveness-n'), cell: (criterion) => whole(differences[criterion].n) },
        { key: 'mean', head: t('effectiveness-mean'), cell: (criterion) => signed(differences[criterion].mean) },
        { key: 's', head: t('effectiveness-s'), cell: (criterion) => tenths(differences[criterion].s) },
        {
          key: 'within5',
          head: t('effectiveness-within', { percent: 5 }),
          cell: (criterion) => shareOf(differences[criterion].within5, differences[criterion].n),
        },
        {
          key: 'within10',
          head: t('effectiveness-within', { percent: 10 }),
          cell: (criterion) => shareOf(differences[criterion].within10, differences[criterion].n),
        },
      ]}
    />
  )
}

const REASONS = ['selection', 'scaleNotValid', 'notWeighed', 'axlesDiffer', 'groupsDiffer', 'underMinimum'] as const

/** Loads that are not in the sample, by reason. */
function LeftOut({ data: { leftOut } }: { data: PairsResult }) {
  const { t } = useTranslation('inspections')
  const { whole } = useEffectivenessTexts()
  const reasons = REASONS.filter((reason) => leftOut[reason] > 0).map(
    (reason) => `${t(`effectiveness-left-out-${reason}`)} ${whole(leftOut[reason])}`,
  )
  if (reasons.length === 0) return null
  return <p className={css.remark}>{t('effectiveness-left-out', { reasons: reasons.join(', ') })}</p>
}
