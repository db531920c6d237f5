import type { ViewPage } from '@rogatka/contract/options.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { fromWarsaw, toWarsaw } from '@rogatka/domain/core/warsaw.ts'
import { readStored, writeStored } from '../core/browserStorage.ts'
import { hideFields } from '../core/plateSearches.ts'
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

/** Those of the signed-in user: another one may sign in later in this tab. */
const readOpen = (): OpenViews => {
  const { userId } = session.get()
  try {
    const stored = JSON.parse(readStored('session', KEY) ?? '{}') as { userId?: number; views?: OpenViews }
    return (userId !== null && stored.userId === userId && stored.views) || {}
  } catch {
    return {}
  }
}

const openViews = createStore<OpenViews>(readOpen())
let user = session.get().userId
session.subscribe(() => {
  const { token, userId } = session.get()
  if (token === null) setAll({})
  else if (userId !== user) openViews.set(readOpen())
  user = userId
})

const setAll = (views: OpenViews) => {
  const { userId } = session.get()
  writeStored('session', KEY, Object.keys(views).length > 0 ? JSON.stringify({ userId, views }) : null)
  openViews.set(views)
}

export const useOpenView = (page: ViewPage): OpenView | undefined => useStore(openViews)[page]

/** Records the view of a page; undefined: none. */
export const setOpenView = (page: ViewPage, view: OpenView | undefined): void =>
  setAll({ ...openViews.get(), [page]: view })

/** Changes the name of a view if it is open; its filters and whether they were changed stay. */
export function renameOpenView(page: ViewPage, { id, name }: Pick<OpenView, 'id' | 'name'>): void {
  const open = openViews.get()[page]
  if (open?.id === id) setOpenView(page, { ...open, name })
}

/** What a page's address has besides filters and order. */
const STATE = ['step', 'page', 'result']

/** Filters and order as text. */
export const filtersOf = (search: PageSearch): Record<string, string> =>
  Object.fromEntries(Object.entries(parseSearch(stringifySearch(search))).filter(([key]) => !STATE.includes(key)))

const minuteOf = (instant: string) => toWarsaw(Date.parse(instant)) / MINUTE_MS

/** Minutes of the range of filters by the clock in Poland, where every day has 24 hours; null without one. */
export const minutesOf = ({ dateTimeStart, dateTimeEnd }: Record<string, string>): number | null =>
  dateTimeStart && dateTimeEnd ? Math.max(1, Math.round(minuteOf(dateTimeEnd) - minuteOf(dateTimeStart))) : null

/** The range of so many minutes, by the clock in Poland, up to the end of the current minute. */
export function rangeNow(minutes: number, now: number): { start: string; end: string } {
  const end = Math.ceil(now / MINUTE_MS) * MINUTE_MS
  const start = fromWarsaw(toWarsaw(end) - minutes * MINUTE_MS)
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() }
}

/** Filters and order in a form that can be compared, without plates. Of a moving range only the length counts. */
export function parametersOf(filters: Record<string, string>, isMoving: boolean): string {
  const { dateTimeStart: _, dateTimeEnd: __, ...rest } = filters
  const compared = isMoving ? { ...rest, minutes: String(minutesOf(filters)) } : filters
  return JSON.stringify(Object.entries(hideFields(compared)).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Whether the search differs from that of the view. */
export function isChanged({ parameters, end }: OpenView, search: PageSearch): boolean {
  const filters = filtersOf(search)
  const isEarlier = end !== null && (filters.dateTimeEnd ?? '') < end
  return isEarlier || parametersOf(filters, end !== null) !== parameters
}
