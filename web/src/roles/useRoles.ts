import type { RoleOrder } from '@rogatka/contract/options.ts'
import { list, type Role, read } from '@rogatka/contract/roles.ts'
import { sortPermissions } from '@rogatka/domain/users/grants.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { storedRecord } from '../core/storedRecord.ts'
import { levelOf } from '../core/urlParams.ts'

export const PAGE_SIZE = 10

type RolePage = { content: Role[]; totalCount: number }

/** The endpoint returns pages, or all roles as an array. */
const asPage = (response: Role[] | RolePage): RolePage =>
  Array.isArray(response) ? { content: response, totalCount: response.length } : response

/** One page of roles whose name contains the text, by default by name. */
export const useRolePage = (page: number, name: string | undefined, order: string | undefined) =>
  useQuery({
    queryKey: ['roles', 'page', page, name, order],
    queryFn: async ({ signal }) => {
      const { column: orderBy = 'name', direction: orderDirection = 'asc' } = levelOf<RoleOrder>(order) ?? {}
      const query = { page, limit: PAGE_SIZE, orderBy, orderDirection, name } as const
      return asPage(await call(list, { query, signal, background: true }))
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Query of a stored role. */
export const roleQuery = (id: number) =>
  storedRecord('roles', id, (signal) => call(read, { params: { id }, signal, background: true }))

/** All roles, by name. */
export const useAllRoles = (enabled = true) =>
  useQuery({
    queryKey: ['roles', 'all'],
    queryFn: async ({ signal }) =>
      asPage(await call(list, { query: { orderDirection: 'asc' }, signal, background: true })).content,
    enabled,
    staleTime: 0,
  })

/** Permissions that can be offered: those of all roles, by number. */
export function useOfferedPermissions() {
  const { data, error, refetch } = useAllRoles()
  const permissions = data && sortPermissions(data.flatMap((role) => role.permissions.map(({ name }) => name)))
  return { permissions, error, refetch }
}
