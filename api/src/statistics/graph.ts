import type { Language } from '@rogatka/contract/languages.ts'
import { GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import type { StatisticFilters } from '@rogatka/contract/statistics.ts'
import { drawnGraphType, maxPeriodsForWidth } from '@rogatka/domain/statistics/chart.ts'
import { downsample } from '@rogatka/domain/statistics/downsample.ts'
import { periodLabel, type Resolution } from '@rogatka/domain/statistics/periods.ts'
import { drawInThread } from '../core/chart-thread.ts'
import type { LocationTable } from './compute.ts'
import type { ChartInput } from './draw.ts'
import { formatFigures, seriesName, statisticTexts } from './texts.ts'

const DRAW_MODULE = new URL('./draw.ts', import.meta.url).href

/** The statistic with its resolution: `natężenie ruchu, pojazdy, co 2 godz.`, for one unit `…, co godzinę` */
export const statisticTitle = (filters: StatisticFilters, { unit, value }: Resolution, language: Language): string => {
  const texts = statisticTexts(language)
  const statistic = texts.stats[filters.statName]
  if (value === 1) return `${statistic}, ${texts.everyOne[unit]}`
  return statisticTexts.format(language, 'every', { what: statistic, value: String(value), unit: texts.units[unit] })
}

/** The time range, to the minute. */
export const rangeText = (
  { dateTimeStart, dateTimeEnd }: Pick<StatisticFilters, 'dateTimeStart' | 'dateTimeEnd'>,
  language: Language,
): string =>
  statisticTexts.format(language, 'range', {
    from: periodLabel(dateTimeStart, 'minute'),
    to: periodLabel(dateTimeEnd, 'minute'),
  })

type ChartedTable = LocationTable & { starts: readonly Date[]; resolution: Resolution }

/** `scale`: factor of the image size in px. */
type Options = { scale?: number; signal?: AbortSignal }

/** The chart of one location as PNG in light colours. */
export function statisticsChartPng(
  filters: StatisticFilters,
  locationTable: ChartedTable,
  language: Language,
  { scale = 1, signal }: Options = {},
): Promise<Buffer> {
  const { statName, groupBy } = filters
  const { location, table, earlier, speedLimit } = locationTable
  const graphType = drawnGraphType(filters, table.groups.length, locationTable.starts.length)
  const texts = statisticTexts(language)
  const { figure } = formatFigures(statName, language)
  const downsampled = downsample(
    { statName, resolution: locationTable.resolution, end: filters.dateTimeEnd },
    locationTable.starts,
    [...table.groups.map(({ series }) => series), ...(earlier ? [earlier.summaries] : [])],
    maxPeriodsForWidth({ statName, groupBy, graphType }, table.groups.length, GRAPH_WIDTH),
  )
  const statistic = statisticTitle(filters, locationTable.resolution, language)
  const { unit, value } = downsampled.resolution
  const isDownsampled = value !== locationTable.resolution.value
  const chart: ChartInput['chart'] = {
    statName,
    groupBy,
    graphType,
    unit,
    starts: downsampled.starts,
    labels: downsampled.starts.map((start) => periodLabel(start, unit)),
    series: table.groups.map((group, index) => ({
      value: group.value,
      label: filters.addLabel ? seriesName(groupBy, group.value, language) : group.value,
      total: group.summary === null ? null : figure(group.summary),
      figures: downsampled.series[index] ?? [],
    })),
    earlier: earlier
      ? {
          label: texts.earlier,
          total: earlier.summary === null ? null : figure(earlier.summary),
          figures: downsampled.series.at(-1) ?? [],
        }
      : undefined,
    limit:
      speedLimit === null
        ? undefined
        : { value: speedLimit, text: statisticTexts.format(language, 'limit', { limit: String(speedLimit) }) },
    title: {
      name: `${location.shortName}, ${location.chainage}`,
      subtitle: isDownsampled
        ? statisticTexts.format(language, 'downsampled', {
            what: statistic,
            value: String(value),
            unit: texts.units[unit],
          })
        : statistic,
      range: rangeText(filters, language),
    },
    empty: texts.empty,
  }
  return drawInThread({ module: DRAW_MODULE, input: { chart, language, scale } satisfies ChartInput }, signal)
}
