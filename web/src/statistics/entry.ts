import { serverNow } from '../core/clock.ts'
import { session } from '../core/session.ts'
import { filtersOf } from './presets.ts'
import type { StatisticsSearch } from './urlParams.ts'

/** The last search, restored by links without parameters. */
let lastSearch: StatisticsSearch | null = null
session.subscribe(() => {
  if (session.get().token === null) lastSearch = null
})

const isBare = (search: StatisticsSearch) => Object.values(search).every((value) => value === undefined)

const definedValues = (search: StatisticsSearch) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))

export const recordSearch = (search: StatisticsSearch): void => {
  lastSearch = search
}

/**
 * Redirect of a statistics URL; null: none, the wizard wrote it. Without parameters restores the last search, within
 * the statistics at step 1; on the first visit the basic preset. Filters alone are completed by the basic preset.
 */
export function entryRedirect(search: StatisticsSearch, within: boolean): StatisticsSearch | null {
  if (search.step || search.result) return null
  const basic: StatisticsSearch = { step: 1, ...filtersOf('basic', serverNow()) }
  if (!isBare(search)) return { ...basic, ...definedValues(search) }
  if (!lastSearch) return basic
  return within ? { ...lastSearch, step: 1, result: undefined } : lastSearch
}
