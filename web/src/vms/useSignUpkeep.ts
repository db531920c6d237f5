import { signContents, signGroups } from '@rogatka/contract/vms-upkeep.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'

const UPKEEP = ['vms', 'upkeep']
/** Shows which groups operators enable meanwhile. */
const REFRESH_MS = 10_000

/** All groups with what can be changed of them and their signs. */
export const useUpkeepGroups = () =>
  useQuery({
    queryKey: [...UPKEEP, 'groups'],
    queryFn: ({ signal }) => call(signGroups, { signal, background: true }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })

/** All contents with what can be changed of them. */
export const useUpkeepContents = () =>
  useQuery({
    queryKey: [...UPKEEP, 'contents'],
    queryFn: ({ signal }) => call(signContents, { signal, background: true }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })

/** Refetches groups, signs and contents after a change. */
export const invalidateSigns = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: ['vms'] })
