import { serverNow } from '../core/clock.ts'
import { session } from '../core/session.ts'
import type { StatisticsSearch } from './address.ts'
import { filtersOf } from './presets.ts'

/** Where the operator last stood, for when they come by a link that knows nothing of it. */
let lastSearch: StatisticsSearch | null = null
session.subscribe(() => {
  if (session.get().token === null) lastSearch = null
})

const isBare = (search: StatisticsSearch) => Object.values(search).every((value) => value === undefined)

const given = (search: StatisticsSearch) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))

export const recordSearch = (search: StatisticsSearch): void => {
  lastSearch = search
}

/**
 * Where an address of the statistics leads instead; null: it stands, because the wizard wrote it. A bare one leads back
 * to where the operator was, within the statistics to their first step, and the first time to the basic preset; one
 * with filters alone is completed by it.
 */
export function entryRedirect(search: StatisticsSearch, within: boolean): StatisticsSearch | null {
  if (search.step || search.result) return null
  const basic: StatisticsSearch = { step: 1, ...filtersOf('basic', serverNow()) }
  if (!isBare(search)) return { ...basic, ...given(search) }
  if (!lastSearch) return basic
  return within ? { ...lastSearch, step: 1, result: undefined } : lastSearch
}
