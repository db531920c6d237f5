import type { EntryState, TypeOfList } from '@rogatka/contract/options.ts'
import { contacts, countContacts, hits, plates } from '@rogatka/contract/wanted.ts'
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { orderOf, type PlateOrdering } from './search.ts'

/** Rows per page, and per request: every second page is already loaded. */
export const PAGE_SIZE = 5
const FETCH_LIMIT = 10

/** Rows of a page, from those fetched. */
export const rowsOfPage = <R>(content: readonly R[], page: number): R[] => {
  const from = ((page - 1) * PAGE_SIZE) % FETCH_LIMIT
  return content.slice(from, from + PAGE_SIZE)
}

const pageQuery = (page: number) => ({
  page: Math.ceil((page * PAGE_SIZE) / FETCH_LIMIT),
  limit: FETCH_LIMIT,
  orderDirection: 'desc' as const,
})

const listOptions = { placeholderData: keepPreviousData, staleTime: 0 } as const

/** Filters of a plate list. */
export type PlateQuery = {
  typeOfList: TypeOfList
  userId: number | undefined
  search: string | undefined
  state: EntryState | undefined
  order: PlateOrdering
}

/** One page of a plate list. */
export function usePlates({ typeOfList, order, ...filters }: PlateQuery, page: number) {
  const query = { typesOfLists: [typeOfList], ...pageQuery(page), ...orderOf(order), ...filters }
  return useQuery({
    queryKey: ['wanted', 'plates', query],
    queryFn: ({ signal }) => call(plates, { query, signal, background: true }),
    ...listOptions,
  })
}

/** Poll interval while a message is pending. */
const FATE_POLL_MS = 3_000

/** Contacts of a user, or all that the caller sees. */
export function useContacts(page: number, userId?: number) {
  const query = { ...pageQuery(page), userId }
  return useQuery({
    queryKey: ['wanted', 'contacts', query],
    queryFn: ({ signal }) => call(contacts, { query, signal, background: true }),
    refetchInterval: ({ state }) =>
      state.data?.content.some(({ lastMessage }) => lastMessage?.fate === 'waiting') ? FATE_POLL_MS : false,
    ...listOptions,
  })
}

/** Number of contacts of a user, who are notified of hits. */
export const useContactCount = (userId: number | null, enabled: boolean) =>
  useQuery({
    queryKey: ['wanted', 'contact-count', userId],
    queryFn: ({ signal }) =>
      call(countContacts, { query: userId === null ? {} : { userId }, signal, background: true }),
    enabled,
    ...listOptions,
  })

export const HITS_PAGE = 10

/** Hits of an entry. */
export const useHits = (id: number, page: number) =>
  useQuery({
    queryKey: ['wanted', 'hits', id, page],
    queryFn: ({ signal }) =>
      call(hits, { params: { id }, query: { page, limit: HITS_PAGE }, signal, background: true }),
    ...listOptions,
  })

/** Refetches all lists after a change. */
export const invalidateWanted = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['wanted'] })
