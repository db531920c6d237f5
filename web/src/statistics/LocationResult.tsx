import type { WireStatistic, WireStatisticFilters } from '@rogatka/contract/statistics.ts'
import { labelledPeriods } from '@rogatka/domain/core/chart/ticks.ts'
import { chartOption } from '@rogatka/domain/statistics/chart.ts'
import type { BarSeriesOption, LineSeriesOption } from 'echarts'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMinute } from '../core/format.ts'
import { Chart } from '../ui/chart/Chart.tsx'
import { ChartHead } from '../ui/chart/ChartHead.tsx'
import { useChartTheme } from '../ui/chart/useChartTheme.ts'
import { useOnceVisible } from '../vehicle/publicApi.ts'
import { DownloadMenu } from './DownloadMenu.tsx'
import { FigureTable } from './FigureTable.tsx'
import css from './Result.module.css'
import { SeriesLegend } from './SeriesLegend.tsx'
import { defaultDisplay } from './search.ts'
import type { StatisticsSearch } from './urlParams.ts'
import { usePatterns } from './usePatterns.ts'
import { useStatisticsTexts } from './useStatisticsTexts.ts'

type Props = { search: StatisticsSearch; query: WireStatisticFilters; statistic: WireStatistic }

const HEIGHT = 320
/** Approximate width outside the plot area, px. */
const NON_PLOT_WIDTH = 100

/** Result of one station: chart with series that can be hidden, table, downloads. */
export function LocationResult({ search, query, statistic }: Props) {
  const { t } = useTranslation('statistics')
  const { statisticTitle, resolution, stationTitle, figure, tick } = useStatisticsTexts(search)
  const theme = useChartTheme()
  const patterns = usePatterns()
  const frame = useRef<HTMLElement>(null)
  const wasVisible = useOnceVisible(frame)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const { location, groups, periods, graph } = statistic
  const { statName, groupBy, graphType } = defaultDisplay(search)
  const name = stationTitle(location)
  const unit = search.statResolutionUnit ?? 'hour'
  const isEmpty = groups.every(({ series }) => series.every((value) => !value))
  const empty = t('no-data-for-selected-parameters')

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
      title: null,
      empty,
    }),
    [statName, groupBy, graphType, unit, periods, groups, empty],
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
              hidden={hidden}
              onHidden={setHidden}
            />
            <div style={{ minHeight: HEIGHT }}>
              {wasVisible && (
                <Chart
                  label={`${name}: ${statisticTitle}, ${resolution}`}
                  image={graph}
                  height={HEIGHT}
                  optionFor={optionFor}
                  zoomedFor={zoomedFor}
                />
              )}
            </div>
          </>
        )}
      </div>
      <FigureTable search={search} statistic={statistic} styles={styles} label={t('ui:table', { of: name })} />
    </section>
  )
}

const rangeText = ({ dateTimeStart, dateTimeEnd }: StatisticsSearch, separator: string): string =>
  `${formatMinute(dateTimeStart)} ${separator} ${formatMinute(dateTimeEnd)}`
