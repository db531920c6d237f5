import type { WireOf } from '@rogatka/contract/endpoint.ts'
import type { pairs } from '@rogatka/contract/inspections-figures.ts'
import { laneOfId, type Selection, selections, UNBIASED_SELECTIONS } from '@rogatka/contract/options.ts'
import { queryInts, queryTexts } from '@rogatka/contract/wire.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { instantIn, positiveIn } from '../core/urlParams.ts'
import { lastDays } from '../ui/dateRange.ts'

/** URL parameters: the filters, and the lane of the chart. */
export type EffectivenessSearch = {
  /** ISO 8601 in UTC; absent: the last 90 days. */
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  /** Absent: all. */
  locations?: number[] | undefined
  /** Lane ids; absent: all. */
  lanes?: number[] | undefined
  /** Absent: those without bias. */
  selections?: Selection[] | undefined
  /** Lane id of the chart; 0: all lanes; absent: the first lane with pairs. */
  lane?: number | undefined
}

/** Days of the initial range, and of those to which an empty one is widened; the last one is the retention. */
export const DEFAULT_DAYS = 90
const WIDER_DAYS = [DEFAULT_DAYS, 365, 5 * 365]
export const PERIODS = [31, DEFAULT_DAYS, 365]

const idsIn = (value: unknown): number[] | undefined => {
  const { data = [] } = queryInts.safeParse(Array.isArray(value) ? value.join() : value)
  return data.length > 0 ? data : undefined
}

function selectionsIn(value: unknown): Selection[] | undefined {
  const { data = [] } = queryTexts.safeParse(Array.isArray(value) ? value.join() : value)
  const known = selections.filter((selection) => data.includes(selection))
  return known.length > 0 && known.join() !== UNBIASED_SELECTIONS.join() ? known : undefined
}

/** Parses the URL; malformed values, and lanes of stations that are not chosen, are ignored, so that links never fail. */
export function readEffectivenessSearch(address: Record<string, unknown>): EffectivenessSearch {
  const [start, end] = [instantIn(address.dateTimeStart), instantIn(address.dateTimeEnd)]
  const locations = idsIn(address.locations)
  const hasRange = start !== undefined && end !== undefined && start < end
  return {
    dateTimeStart: hasRange ? start : undefined,
    dateTimeEnd: hasRange ? end : undefined,
    locations,
    // A tab may come back with other stations.
    lanes: idsIn(idsIn(address.lanes)?.filter((lane) => locations?.includes(laneOfId(lane).locationId))),
    selections: selectionsIn(address.selections),
    lane: String(address.lane) === '0' ? 0 : positiveIn(address.lane),
  }
}

/** Changes filters. */
export const changeSearch = (search: EffectivenessSearch, changes: Partial<EffectivenessSearch>): EffectivenessSearch =>
  readEffectivenessSearch({ ...search, ...changes })

export type EffectivenessQuery = Omit<WireOf<typeof pairs, 'query'>, 'after' | 'limit'>

/** The query; `lastDays` is the range without one in the URL. */
export const toQuery = (
  { dateTimeStart, dateTimeEnd, locations, lanes, selections }: EffectivenessSearch,
  lastDays: { start: string; end: string },
): EffectivenessQuery => ({
  dateTimeStart: dateTimeStart ?? lastDays.start,
  dateTimeEnd: dateTimeEnd ?? lastDays.end,
  ...(locations && { locations }),
  ...(lanes && { lanes }),
  ...(selections && { selections }),
})

/** The next wider range up to now, in days; null if there is none. */
export function widerRange({ dateTimeStart, dateTimeEnd }: EffectivenessQuery, now: number) {
  const days = (Date.parse(String(dateTimeEnd)) - Date.parse(String(dateTimeStart))) / DAY_MS
  // An hour more or less at the change of the clock.
  const wider = WIDER_DAYS.find((candidate) => candidate > days + 1)
  return wider === undefined ? null : { days: wider, ...lastDays(wider, now) }
}
