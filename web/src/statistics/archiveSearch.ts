import type { Division } from '@rogatka/contract/options.ts'
import { type Violation, violations } from '@rogatka/contract/vehicle.ts'
import { SPEED_STEPS } from '@rogatka/domain/statistics/ranges.ts'
import { UNKNOWN } from '@rogatka/domain/statistics/series.ts'
import { defaultDisplay } from './search.ts'
import type { StatisticsSearch } from './urlParams.ts'

type FigureScope = {
  location: number
  /** ISO 8601 in UTC, [start, end). */
  start: string
  end: string
  /** Value of the series; null: all. */
  series: string | null
}

/**
 * Filters of the archive that find exactly the vehicles of a period; null if it has none for the series: vehicles without
 * a speed, and those by excess speed.
 */
export function archiveSearch(search: StatisticsSearch, { location, start, end, series }: FigureScope) {
  const { ctg8p1, laneNumbers, hours, weekdays, ctg323, nationalities } = search
  const { groupBy } = defaultDisplay(search)
  const selected = violations.filter((violation) => search[violation])
  // By violation, only vehicles with one count.
  const counted = groupBy === 'violation' && selected.length === 0 ? violations : selected
  const all = {
    dateTimeStart: start,
    dateTimeEnd: end,
    locations: [location],
    ctg8p1,
    laneNumbers,
    hours,
    weekdays,
    ctg323,
    nationalities,
  }
  const filter = series === null ? {} : seriesFilter(groupBy, series)
  if (!filter) return null
  return { ...all, ...flags(filter.violation ? [filter.violation] : counted), ...filter.fields }
}

const flags = (list: readonly Violation[]) => Object.fromEntries(list.map((violation) => [violation, true]))

type SeriesFilter = { fields?: Record<string, unknown>; violation?: Violation }

/** The filter of a series; null: the archive has none. */
function seriesFilter(groupBy: Division, series: string): SeriesFilter | null {
  switch (groupBy) {
    case 'lane':
      return { fields: { laneNumbers: [Number(series)] } }
    case 'category':
      return { fields: { ctg8p1: [series] } }
    case 'violation': {
      const violation = violations.find((name) => name === series)
      return violation ? { violation } : null
    }
    case 'speedRange': {
      if (series === UNKNOWN) return null
      const range = Number(series)
      const above = SPEED_STEPS[range - 1]
      return {
        fields: { minSpeed: SPEED_STEPS[range - 2] ?? 1, maxSpeed: above === undefined ? undefined : above - 1 },
      }
    }
    case 'overSpeed':
      return null
  }
}
