import type { deviation, list } from '@rogatka/contract/calibration.ts'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { type CalibrationHours, calibrationHours } from '@rogatka/contract/options.ts'
import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import { instantIn, oneOf } from '../core/urlParams.ts'
import { changeFilters, readFilters } from '../vehicle/publicApi.ts'

/** The two pages: mean loads with tables, or deviations. */
export type Kind = 'load' | 'deviation'

export const pathOf = { load: '/calibration', deviation: '/calibration-deviation' } as const

export type Step = 1 | 2

/** URL parameters: step, stations, range and, for mean loads, the resolution in hours. */
export type CalibrationSearch = {
  step?: Step | undefined
  locations?: number[] | undefined
  /** ISO 8601 in UTC. */
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  statResolutionValue?: CalibrationHours | undefined
}

/** Default resolution. */
export const DEFAULT_HOURS: CalibrationHours = 2

/** Parses a resolution; undefined if missing or not supported. */
export const hoursIn = (value: unknown): CalibrationHours | undefined => oneOf(calibrationHours, value)

/** Parses the URL; malformed values are ignored, so that shared links never fail. */
export const readCalibrationSearch = (address: Record<string, unknown>): CalibrationSearch => ({
  step: oneOf<Step>([1, 2], address.step),
  locations: readFilters(address).locations,
  dateTimeStart: instantIn(address.dateTimeStart),
  dateTimeEnd: instantIn(address.dateTimeEnd),
  statResolutionValue: hoursIn(address.statResolutionValue),
})

/** Changes the search; empty values are removed. */
export const changeSearch = (search: CalibrationSearch, changes: Partial<CalibrationSearch>): CalibrationSearch =>
  changeFilters<CalibrationSearch>(search, changes as never)

type Queries = { load: WireOf<typeof list, 'query'>; deviation: WireOf<typeof deviation, 'query'> }

/** Queries of both pages; undefined while a required field is missing. */
export function toQueries(search: CalibrationSearch): Queries | undefined {
  const { dateTimeStart, dateTimeEnd, locations, statResolutionValue = DEFAULT_HOURS } = search
  if (!dateTimeStart || !dateTimeEnd || !locations?.length) return undefined
  const graph = { graphType: 'linePlot', graphWidth: GRAPH_WIDTH, graphHeight: GRAPH_HEIGHT } as const
  const query = { dateTimeStart, dateTimeEnd, locations, ...graph }
  return { load: { ...query, statResolutionUnit: 'hour', statResolutionValue, addGraph: true }, deviation: query }
}
