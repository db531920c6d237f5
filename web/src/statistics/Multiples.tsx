import type { WireStatistic } from '@rogatka/contract/statistics.ts'
import { chartOption, drawnGraphType } from '@rogatka/domain/statistics/chart.ts'
import { type ReactNode, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useChartTheme } from '../ui/chart/useChartTheme.ts'
import { VirtualTable } from '../ui/VirtualTable.tsx'
import css from './Multiples.module.css'
import { PeriodChart } from './PeriodChart.tsx'
import { defaultDisplay } from './search.ts'
import { sparkPath } from './sparkline.ts'
import type { StatisticsSearch } from './urlParams.ts'
import { useStatisticsTexts } from './useStatisticsTexts.ts'

/** More charts are rows with small lines. */
const MAX_CHARTS = 6
const HEIGHT = 180
const SPARK = { width: 240, height: 22 }

/** One of several charts: a station, or a series of one. */
export type Multiple = {
  key: string
  /** Value of the series, for its colour. */
  value: string
  name: string
  total: number | null
  figures: readonly (number | null)[]
  earlier?: { total: number | null; figures: readonly (number | null)[] } | undefined
  limit?: number | null | undefined
  panel: (period: number) => ReactNode
}

type Props = {
  label: string
  search: StatisticsSearch
  /** Of all of them. */
  periods: WireStatistic['periods']
  items: readonly Multiple[]
  /** One colour for all. */
  plain?: boolean
}

/** Small multiples: several charts on one scale; more than six are a table of sparklines. */
export function Multiples({ label, search, periods, items, plain = false }: Props) {
  const { t } = useTranslation('statistics')
  const { figure, sum } = useStatisticsTexts(search)
  const values = items
    .flatMap(({ figures, earlier, limit }) => [...figures, ...(earlier?.figures ?? []), limit ?? null])
    .filter((value) => value !== null)
  const extent = values.reduce<[number, number]>(
    ([min, max], value) => [Math.min(min, value), Math.max(max, value)],
    [values[0] ?? 0, values[0] ?? 0],
  )
  if (items.length > MAX_CHARTS) {
    return (
      <VirtualTable
        label={label}
        rows={items}
        keyOf={({ key }) => key}
        columns={[
          { key: 'name', head: label, cell: ({ name }) => name },
          {
            key: 'line',
            head: t('course'),
            cell: ({ figures }) => (
              <svg className={css.spark} viewBox={`0 0 ${SPARK.width} ${SPARK.height}`} aria-hidden="true">
                <path d={sparkPath(figures, extent[1], SPARK.width, SPARK.height)} />
              </svg>
            ),
            isText: true,
          },
          { key: 'total', head: sum, cell: ({ total }) => figure(total) },
          ...(search.compare
            ? [
                {
                  key: 'earlier',
                  head: t('earlier'),
                  cell: ({ earlier }: Multiple) => figure(earlier?.total ?? null),
                },
              ]
            : []),
        ]}
      />
    )
  }
  return (
    <section className={css.multiples} aria-label={label}>
      {items.map((item) => (
        <MultipleChart
          key={item.key}
          search={search}
          periods={periods}
          item={item}
          extent={extent}
          plain={plain}
          label={label}
        />
      ))}
    </section>
  )
}

type ChartProps = Pick<Props, 'label' | 'search' | 'periods'> & {
  plain: boolean
  item: Multiple
  extent: readonly [number, number]
}

function MultipleChart({ label, search, periods, item, extent, plain }: ChartProps) {
  const { t } = useTranslation('statistics')
  const { figure, tick, statisticTitle, resolution } = useStatisticsTexts(search)
  const theme = useChartTheme()
  const { statName, groupBy, graphType } = defaultDisplay(search)
  const { name, value, figures, total, earlier, limit } = item
  const [min, max] = extent
  const language = tick(1_000.5)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts are new on every render and differ only by language
  const optionFor = useCallback(
    (width: number) =>
      chartOption(
        {
          statName,
          groupBy,
          graphType: drawnGraphType({ statName, groupBy, graphType }, 1, periods.length),
          unit: search.statResolutionUnit ?? 'hour',
          starts: periods.map(({ start }) => new Date(start)),
          labels: periods.map(({ label }) => label),
          series: [{ value, label: name, total: null, figures }],
          earlier: earlier && { label: t('earlier'), total: null, figures: earlier.figures },
          limit: limit == null ? undefined : { value: limit, text: t('limit', { limit }) },
          title: null,
          empty: '',
        },
        {
          theme,
          width,
          height: HEIGHT,
          extent: [min, max],
          tick,
          figure,
          legend: false,
          plain,
          patterns: false,
          interactive: true,
          zoomable: false,
        },
      ),
    [language, theme, statName, groupBy, graphType, periods, name, value, figures, earlier, limit, min, max, plain],
  )
  return (
    <section className={css.multiple} aria-label={`${name}, ${label}`}>
      <header className={css.head}>
        {/* Series are below the heading of their station. */}
        {plain ? <h2>{name}</h2> : <h3>{name}</h3>}
        <span className={css.total}>
          <b>{figure(total)}</b> {earlier && t('previously', { value: figure(earlier.total) })}
        </span>
      </header>
      <PeriodChart
        label={`${name}: ${statisticTitle}, ${resolution}`}
        image={null}
        height={HEIGHT}
        optionFor={optionFor}
        count={periods.length}
        textOf={(period) =>
          [
            periods[period]?.label,
            figure(figures[period] ?? null),
            earlier && t('previously', { value: figure(earlier.figures[period] ?? null) }),
          ]
            .filter(Boolean)
            .join(', ')
        }
        panel={item.panel}
      />
    </section>
  )
}
