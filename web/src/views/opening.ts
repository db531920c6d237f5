import { notifications } from '@mantine/notifications'
import type { ViewPage } from '@rogatka/contract/options.ts'
import { readView, type View, views } from '@rogatka/contract/views.ts'
import { queryOptions } from '@tanstack/react-query'
import type { useNavigate } from '@tanstack/react-router'
import i18next from 'i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { loadTexts } from '../core/i18n.ts'
import { queryClient } from '../core/queryClient.ts'
import { stringifySearch } from '../core/search.ts'
import { parametersOf, rangeNow, setOpenView } from './openViews.ts'

/** All views of the user, in their order. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => call(views, { signal, background: true }),
})

/** Loads the views, with the texts about them. */
export const fetchViews = async (): Promise<View[]> => {
  const [loaded] = await Promise.all([queryClient.fetchQuery({ ...viewsQuery, staleTime: 0 }), loadTexts(['views'])])
  return loaded
}

const PATHS = { current: '/', archive: '/archival', statistics: '/stat' } as const

/** The result of each page. */
const RESULTS = { current: { step: '3' }, archive: { step: '4' }, statistics: { step: '1', result: 'true' } }

/** The filters and order that a view has now, with its plate if it was read on its own. */
export function filtersNow({ search, rangeMinutes }: View): Record<string, string> {
  if (rangeMinutes === null) return search
  const { start, end } = rangeNow(rangeMinutes, serverNow())
  return { ...search, dateTimeStart: start, dateTimeEnd: end }
}

/** Records that the page shows a view with these filters. */
export function recordView({ id, name, page, rangeMinutes }: View, filters: Record<string, string>): void {
  const isMoving = rangeMinutes !== null
  const end = (isMoving && filters.dateTimeEnd) || null
  setOpenView(page, { id, name, parameters: parametersOf(filters, isMoving), end })
}

type Opening = {
  /** The path and search of its result. */
  to: (typeof PATHS)[ViewPage]
  search: Record<string, string>
  /** Records the view as the one that the page shows, and says so if stations of it are gone. */
  record: () => void
}

async function prepare(listed: View): Promise<Opening> {
  const view = listed.hasPlate ? await call(readView, { params: { id: listed.id } }) : listed
  const filters = filtersNow(view)
  const record = () => {
    recordView(view, filters)
    if (view.missingStations > 0) show('missing-stations', { name: view.name, count: view.missingStations })
  }
  return { to: PATHS[view.page], search: { ...filters, ...RESULTS[view.page] }, record }
}

function show(text: string, values: Record<string, string | number>): void {
  notifications.show({
    id: text,
    message: i18next.t(`views:${text}`, values),
    withBorder: true,
    autoClose: 8000,
    role: 'status',
    closeButtonProps: { 'aria-label': i18next.t('ui:dismiss') },
  })
}

type Navigate = ReturnType<typeof useNavigate>

/** Counts openings: a later one replaces one that is still loading. */
let openings = 0

async function openLast(find: () => Promise<View | undefined>, navigate: Navigate): Promise<boolean> {
  openings += 1
  const opening = openings
  const view = await find()
  const prepared = view && (await prepare(view))
  if (opening !== openings) return true
  if (!prepared) return false
  const { to, search, record } = prepared
  record()
  await navigate({ to, search: search as never })
  return true
}

/** Opens a view on its page. */
export async function openView(view: View, navigate: Navigate): Promise<void> {
  await openLast(async () => view, navigate)
}

/** Opens the view with this number in the user's order. */
export async function openNumber(number: number, navigate: Navigate): Promise<void> {
  const isFound = await openLast(async () => (await fetchViews())[number - 1], navigate)
  if (!isFound) show('no-view', { number })
}

/** The view that opens after sign-in: its address, and what records it once it is opened; null: none. */
export async function findStartView(): Promise<{ href: string; record: () => void } | null> {
  const start = (await fetchViews()).find(({ isStart }) => isStart)
  if (!start) return null
  const { to, search, record } = await prepare(start)
  return { href: to + stringifySearch(search), record }
}
