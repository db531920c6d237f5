import { serverNow } from '../core/clock.ts'
import { session } from '../core/session.ts'
import { filtersOf, isMoving } from './presets.ts'
import type { StatisticsSearch } from './urlParams.ts'

/** What all tabs of the statistics share. */
const SHARED = ['locations', 'dateTimeStart', 'dateTimeEnd'] as const

/** The last search, restored by links without parameters. */
let lastSearch: StatisticsSearch | null = null
session.subscribe(() => {
  if (session.get().token === null) lastSearch = null
})

const definedValues = (search: StatisticsSearch): Partial<StatisticsSearch> =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))

export const recordSearch = (search: StatisticsSearch): void => {
  lastSearch = search
}

/** The last search with stations and range of another tab; a range that moves with the clock stops if it was changed. */
function withShared(last: StatisticsSearch, shared: Partial<StatisticsSearch>): StatisticsSearch {
  const keepsRange = (['dateTimeStart', 'dateTimeEnd'] as const).every(
    (end) => (shared[end] ?? last[end]) === last[end],
  )
  return { ...last, ...shared, ...(isMoving(last) && !keepsRange && { preset: 'basic' as const }) }
}

/**
 * Redirect of a statistics URL; null: none, the wizard wrote it. Without parameters, or with those of the other tabs,
 * restores the last search, within the statistics at step 1; on the first visit the basic preset, which also completes
 * filters alone. `isWithin`: the user is already in the statistics.
 */
export function entryRedirect(search: StatisticsSearch, isWithin: boolean): StatisticsSearch | null {
  if (search.step || search.result) return null
  const given = definedValues(search)
  const isShared = Object.keys(given).every((key) => SHARED.some((shared) => shared === key))
  if (!lastSearch || !isShared) return { step: 1, ...filtersOf('basic', serverNow()), ...given }
  const last = withShared(lastSearch, given)
  return isWithin ? { ...last, step: 1, result: undefined } : last
}
