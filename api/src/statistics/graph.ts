import type { Language } from '@rogatka/contract/languages.ts'
import type { Location } from '@rogatka/contract/locations.ts'
import { GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import type { StatisticFilters } from '@rogatka/contract/statistics.ts'
import { maxPeriodsForWidth } from '@rogatka/domain/statistics/chart.ts'
import { downsample } from '@rogatka/domain/statistics/downsample.ts'
import { periodLabel, type Resolution } from '@rogatka/domain/statistics/periods.ts'
import type { Table } from '@rogatka/domain/statistics/tabulate.ts'
import { drawInThread } from '../core/chart-thread.ts'
import { interpolate } from '../core/text.ts'
import type { GraphInput } from './draw.ts'
import { formatFigures, seriesName, statisticTexts } from './texts.ts'

const DRAW = new URL('./draw.ts', import.meta.url).href

/** What is shown, with its resolution: `natężenie ruchu, pojazdy, co 2 godz.`, of one unit `…, co godzinę` */
export const statisticTitle = (filters: StatisticFilters, { unit, value }: Resolution, language: Language): string => {
  const words = statisticTexts(language)
  const what = words.stats[filters.statName]
  if (value === 1) return `${what}, ${words.everyOne[unit]}`
  return interpolate(words.every, { what, value: String(value), unit: words.units[unit] })
}

/** The range, to the minute. */
export const rangeText = ({ dateTimeStart, dateTimeEnd }: StatisticFilters, language: Language): string =>
  interpolate(statisticTexts(language).range, {
    from: periodLabel(dateTimeStart, 'minute'),
    to: periodLabel(dateTimeEnd, 'minute'),
  })

type Shown = { location: Location; table: Table; starts: readonly Date[]; resolution: Resolution }

/** A size of the image in pixels, and when nobody waits for it any more. */
type Options = { scale?: number; signal?: AbortSignal }

/** The chart of one location as PNG, in the light colours; for print in more pixels. */
export function statisticsChartPng(
  filters: StatisticFilters,
  shown: Shown,
  language: Language,
  { scale = 1, signal }: Options = {},
): Promise<Buffer> {
  const { statName, groupBy, graphType } = filters
  const { location, table } = shown
  const words = statisticTexts(language)
  const { figure } = formatFigures(statName, language)
  const folded = downsample(
    { statName, resolution: shown.resolution, end: filters.dateTimeEnd },
    shown.starts,
    table.groups.map(({ series }) => series),
    maxPeriodsForWidth({ statName, groupBy, graphType }, table.groups.length, GRAPH_WIDTH),
  )
  const what = statisticTitle(filters, shown.resolution, language)
  const { unit, value } = folded.resolution
  const isFolded = value !== shown.resolution.value
  const chart: GraphInput['chart'] = {
    statName,
    groupBy,
    graphType,
    unit,
    starts: folded.starts,
    labels: folded.starts.map((start) => periodLabel(start, unit)),
    series: table.groups.map((group, index) => ({
      value: group.value,
      label: filters.addLabel ? seriesName(groupBy, group.value, language) : group.value,
      total: group.summary === null ? null : figure(group.summary),
      figures: folded.series[index] ?? [],
    })),
    title: {
      name: `${location.shortName}, ${location.chainage}`,
      what: isFolded ? interpolate(words.folded, { what, value: String(value), unit: words.units[unit] }) : what,
      range: rangeText(filters, language),
    },
    empty: words.empty,
  }
  return drawInThread({ module: DRAW, input: { chart, language, scale } satisfies GraphInput }, signal)
}
