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
import { lastDays } from '../ui/dateRange.ts'
import { parametersOf, setOpenView } from './openViews.ts'

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

const DAY_MINUTES = 24 * 60

function rangeNow(minutes: number) {
  const now = serverNow()
  if (minutes % DAY_MINUTES === 0) return lastDays(minutes / DAY_MINUTES, now)
  const { end } = lastDays(1, now)
  return { start: new Date(Date.parse(end) - minutes * 60_000).toISOString(), end }
}

/** The filters and order that a view has now, with its plate if it was read on its own. */
export function filtersNow({ search, rangeMinutes }: View): Record<string, string> {
  if (rangeMinutes === null) return search
  const { start, end } = rangeNow(rangeMinutes)
  return { ...search, dateTimeStart: start, dateTimeEnd: end }
}

/** Records that the page shows a view with these filters. */
export function recordView({ id, name, page, rangeMinutes }: View, filters: Record<string, string>): void {
  const isMoving = rangeMinutes !== null
  const end = (isMoving && filters.dateTimeEnd) || null
  setOpenView(page, { id, name, parameters: parametersOf(filters, isMoving), end })
}

/** Opens a view: the path and search of its result. Says so if stations of it are gone. */
async function opened(listed: View): Promise<{ to: (typeof PATHS)[ViewPage]; search: Record<string, string> }> {
  const view = listed.hasPlate ? await call(readView, { params: { id: listed.id } }) : listed
  const filters = filtersNow(view)
  recordView(view, filters)
  if (view.missingStations > 0) show('missing-stations', { name: view.name, count: view.missingStations })
  return { to: PATHS[view.page], search: { ...filters, ...RESULTS[view.page] } }
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

/** Opens a view on its page. */
export async function openView(view: View, navigate: Navigate): Promise<void> {
  const { to, search } = await opened(view)
  await navigate({ to, search: search as never })
}

/** Opens the view with this number in the user's order. */
export async function openNumber(number: number, navigate: Navigate): Promise<void> {
  const view = (await fetchViews())[number - 1]
  if (view) await openView(view, navigate)
  else show('no-view', { number })
}

/** Address of the view that opens after sign-in; null: none. */
export async function startAddress(): Promise<string | null> {
  const start = (await fetchViews()).find(({ isStart }) => isStart)
  if (!start) return null
  const { to, search } = await opened(start)
  return to + stringifySearch(search)
}
