import type { WireStatistic, WireStatisticFilters } from '@rogatka/contract/statistics.ts'
import { labelledPeriods } from '@rogatka/domain/core/chart/ticks.ts'
import { chartOption, drawnGraphType } from '@rogatka/domain/statistics/chart.ts'
import type { BarSeriesOption, LineSeriesOption } from 'echarts'
import type { TFunction } from 'i18next'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMinute } from '../core/format.ts'
import { ChartHead } from '../ui/chart/ChartHead.tsx'
import { useChartTheme } from '../ui/chart/useChartTheme.ts'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { useOnceVisible } from '../vehicle/publicApi.ts'
import { DownloadMenu } from './DownloadMenu.tsx'
import { FigureTable } from './FigureTable.tsx'
import { Multiples } from './Multiples.tsx'
import { PeriodChart } from './PeriodChart.tsx'
import { PeriodPanel } from './PeriodPanel.tsx'
import css from './Result.module.css'
import { SeriesLegend } from './SeriesLegend.tsx'
import { defaultDisplay } from './search.ts'
import type { StatisticsSearch } from './urlParams.ts'
import { usePatterns } from './usePatterns.ts'
import { useStatisticsTexts } from './useStatisticsTexts.ts'

type Props = {
  search: StatisticsSearch
  query: WireStatisticFilters
  statistic: WireStatistic
  /** Changes how the result is shown. */
  onChange: (changes: Partial<StatisticsSearch>) => void
}

const HEIGHT = 320
/** Approximate width outside the plot area, px. */
const NON_PLOT_WIDTH = 100

/** Result of one station: chart with series that can be hidden, table, downloads. */
export function LocationResult({ search, query, statistic, onChange }: Props) {
  const { t } = useTranslation('statistics')
  const { statisticTitle, resolution, stationTitle, figure, tick } = useStatisticsTexts(search)
  const theme = useChartTheme()
  const patterns = usePatterns()
  const frame = useRef<HTMLElement>(null)
  const wasVisible = useOnceVisible(frame)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const { location, groups, periods, graph, earlier, speedLimit } = statistic
  const display = defaultDisplay(search)
  const { statName, groupBy } = display
  const hasTooManyBars =
    display.graphType === 'barPlot' && drawnGraphType(display, groups.length, periods.length) !== 'barPlot'
  const view = hasTooManyBars ? (search.chartView ?? 'lines') : null
  const graphType = view === 'lines' ? 'linePlot' : display.graphType
  const name = stationTitle(location)
  const unit = search.statResolutionUnit ?? 'hour'
  const isEmpty = groups.every(({ series }) => series.every((value) => !value))
  const empty = t('no-data-for-selected-parameters')
  const earlierName = t('earlier')
  const limitText = t('limit', { limit: speedLimit ?? '' })

  const chart = useMemo(
    () => ({
      statName,
      groupBy,
      graphType,
      unit,
      starts: periods.map(({ start }) => new Date(start)),
      labels: periods.map(({ label }) => label),
      series: groups.map(({ value, labelSeriesValue, series }) => ({
        value,
        label: labelSeriesValue,
        total: null,
        figures: series,
      })),
      totals: periods.map(({ summary }) => summary),
      earlier: earlier && {
        label: earlierName,
        total: null,
        figures: periods.map((period) => period.earlier ?? null),
      },
      limit: speedLimit == null ? undefined : { value: speedLimit, text: limitText },
      title: null,
      empty,
    }),
    [statName, groupBy, graphType, unit, periods, groups, empty, earlier, earlierName, speedLimit, limitText],
  )
  const language = tick(1_000.5)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tick` and `figure` are new on every render and differ only by language
  const chartOptions = useMemo(
    () => ({ theme, height: HEIGHT, tick, figure, legend: false, patterns, interactive: true }),
    [theme, patterns, language, statName],
  )
  const optionFor = useCallback(
    (width: number) => ({
      ...chartOption(chart, { ...chartOptions, width }),
      legend: {
        show: false,
        selected: Object.fromEntries(chart.series.map(({ label }) => [label, !hidden.includes(label)])),
      },
    }),
    [chart, chartOptions, hidden],
  )
  // Labels of the roundest times within the zoomed range.
  const zoomedFor = useCallback(
    (width: number, from: number, to: number) => {
      const first = Math.floor((chart.starts.length * from) / 100)
      const visible = chart.starts.slice(first, Math.ceil((chart.starts.length * to) / 100))
      const labelled = labelledPeriods(visible, unit, width - NON_PLOT_WIDTH)
      return { xAxis: { axisLabel: { interval: (index: number) => labelled.has(index - first) } } }
    },
    [chart, unit],
  )
  // Series styles, without their values.
  const styles = useMemo(() => {
    const chartWithoutData = {
      ...chart,
      starts: [],
      labels: [],
      totals: [],
      series: chart.series.map((entry) => ({ ...entry, figures: [] })),
    }
    return chartOption(chartWithoutData, { ...chartOptions, width: 1_000 }).series as (BarSeriesOption &
      LineSeriesOption)[]
  }, [chart, chartOptions])

  return (
    <section ref={frame} aria-label={name}>
      <div className={css.panel}>
        <ChartHead title={name} description={`${statisticTitle}, ${resolution}`}>
          {view !== null && !isEmpty && (
            <SegmentedControl
              label={t('chart')}
              options={(['lines', 'multiples', 'bars'] as const).map((value) => ({ value, label: t(`view-${value}`) }))}
              value={view}
              onChange={(value) => onChange({ chartView: value === 'lines' ? undefined : value })}
            />
          )}
          <span className={css.range}>{rangeText(search, t('ui:to'))}</span>
          <DownloadMenu
            group={`statistics-${location.id}`}
            query={{ ...query, locations: [location.id] }}
            statistics={[statistic]}
            stationName={name}
            chartImage={graph}
          />
        </ChartHead>
        {isEmpty ? (
          <p className={css.empty} role="status">
            {empty}
          </p>
        ) : (
          <>
            <SeriesLegend
              series={groups.map(({ labelSeriesValue, summary }, at) => ({
                name: labelSeriesValue,
                total: figure(summary),
                style: styles[at],
              }))}
              earlier={
                earlier && {
                  name: earlierName,
                  total: figure(earlier.summary),
                  isDashed: graphType === 'linePlot',
                }
              }
              hidden={hidden}
              onHidden={setHidden}
            />
            {view !== 'multiples' && (
              <div style={{ minHeight: HEIGHT }}>
                {wasVisible && (
                  <PeriodChart
                    label={`${name}: ${statisticTitle}, ${resolution}`}
                    image={graph}
                    height={HEIGHT}
                    optionFor={optionFor}
                    zoomedFor={zoomedFor}
                    count={periods.length}
                    textOf={(period) => periodText(statistic, period, figure, t)}
                    panel={(period, label) => (
                      <PeriodPanel
                        search={search}
                        statistic={statistic}
                        period={period}
                        series={groups.find(({ labelSeriesValue }) => labelSeriesValue === label)?.value ?? null}
                      />
                    )}
                  />
                )}
              </div>
            )}
          </>
        )}
      </div>
      {view === 'multiples' && !isEmpty && (
        <Multiples
          label={`${name}: ${t(`division-${groupBy}`)}`}
          search={search}
          periods={periods}
          items={groups
            .filter(({ labelSeriesValue }) => !hidden.includes(labelSeriesValue))
            .map(({ value, labelSeriesValue, series, summary }) => ({
              key: value,
              value,
              name: labelSeriesValue,
              total: summary,
              figures: series,
              limit: speedLimit,
              panel: (period) => <PeriodPanel search={search} statistic={statistic} period={period} series={value} />,
            }))}
        />
      )}
      <FigureTable search={search} statistic={statistic} styles={styles} label={t('ui:table', { of: name })} />
    </section>
  )
}

/** "14:00, 668, poprzednio 646" */
const periodText = (
  { periods }: WireStatistic,
  period: number,
  figure: (value: number | null) => string,
  t: TFunction<'statistics'>,
): string => {
  const { label, summary = null, earlier } = periods[period] ?? {}
  return [label, figure(summary), earlier !== undefined && t('previously', { value: figure(earlier) })]
    .filter(Boolean)
    .join(', ')
}

const rangeText = ({ dateTimeStart, dateTimeEnd }: StatisticsSearch, separator: string): string =>
  `${formatMinute(dateTimeStart)} ${separator} ${formatMinute(dateTimeEnd)}`
