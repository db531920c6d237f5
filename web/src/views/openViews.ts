import type { ViewPage } from '@rogatka/contract/options.ts'
import { readStored, writeStored } from '../core/browserStorage.ts'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { session } from '../core/session.ts'
import { createStore, useStore } from '../core/store.ts'

/** The view that was opened on a page of this tab. */
export type OpenView = {
  id: number
  name: string
  /** Its parameters in the form of `parametersOf`. */
  parameters: string
  /** The range ended now when it was opened: later ends are no change. */
  end: string | null
}

export type PageSearch = Record<string, unknown>
type OpenViews = Partial<Record<ViewPage, OpenView>>

const KEY = 'views'
const readOpen = (): OpenViews => {
  try {
    return JSON.parse(readStored('session', KEY) ?? '{}') as OpenViews
  } catch {
    return {}
  }
}

const openViews = createStore<OpenViews>(readOpen())
session.subscribe(() => {
  if (session.get().token === null) setAll({})
})

const setAll = (next: OpenViews) => {
  writeStored('session', KEY, Object.keys(next).length > 0 ? JSON.stringify(next) : null)
  openViews.set(next)
}

export const useOpenView = (page: ViewPage): OpenView | undefined => useStore(openViews)[page]

/** Records the view of a page; undefined: none. */
export const setOpenView = (page: ViewPage, view: OpenView | undefined): void =>
  setAll({ ...openViews.get(), [page]: view })

/** What a page's address has besides filters and order. */
const STATE = ['step', 'page', 'result']

/** Filters and order as text. */
export const filtersOf = (search: PageSearch): Record<string, string> =>
  Object.fromEntries(Object.entries(parseSearch(stringifySearch(search))).filter(([key]) => !STATE.includes(key)))

/** Minutes of the range of filters; null without one. */
export const minutesOf = ({ dateTimeStart, dateTimeEnd }: Record<string, string>): number | null =>
  dateTimeStart && dateTimeEnd
    ? Math.max(1, Math.round((Date.parse(dateTimeEnd) - Date.parse(dateTimeStart)) / 60_000))
    : null

/** Filters and order in a form that can be compared. Of a moving range only the length counts. */
export function parametersOf(filters: Record<string, string>, isMoving: boolean): string {
  const { dateTimeStart: _, dateTimeEnd: __, ...rest } = filters
  const compared = isMoving ? { ...rest, minutes: String(minutesOf(filters)) } : filters
  return JSON.stringify(Object.entries(compared).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Whether the search differs from that of the view. */
export function isChanged({ parameters, end }: OpenView, search: PageSearch): boolean {
  const filters = filtersOf(search)
  const isEarlier = end !== null && (filters.dateTimeEnd ?? '') < end
  return isEarlier || parametersOf(filters, end !== null) !== parameters
}
