import type { UserOrder } from '@rogatka/contract/options.ts'
import { list, read } from '@rogatka/contract/users.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { storedRecord } from '../core/storedRecord.ts'
import { levelOf } from '../core/urlParams.ts'

export const PAGE_SIZE = 10

/** Maximum number of users that are offered as options. */
const FETCH_LIMIT = 1000

/** One page of users whose name contains the text, by default by username. */
export const useUserPage = (page: number, username: string | undefined, order: string | undefined) =>
  useQuery({
    queryKey: ['users', 'page', page, username, order],
    queryFn: ({ signal }) => {
      const { column: orderBy = 'username', direction: orderDirection = 'asc' } = levelOf<UserOrder>(order) ?? {}
      const query = { page, limit: PAGE_SIZE, orderBy, orderDirection, username } as const
      return call(list, { query, signal, background: true })
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Query of a stored user. */
export const userQuery = (id: number) =>
  storedRecord('users', id, (signal) => call(read, { params: { id }, signal, background: true }))

/** All users, as options. */
export const useAllUsers = (enabled = true) =>
  useQuery({
    queryKey: ['users', 'all'],
    queryFn: ({ signal }) => call(list, { query: { page: 1, limit: FETCH_LIMIT }, signal, background: true }),
    enabled,
  })
