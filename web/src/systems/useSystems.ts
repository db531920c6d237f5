import { list, type WireSystem } from '@rogatka/contract/systems.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'

/** Keeps the times of the last requests of systems current. */
const REFRESH_MS = 30_000

/** All external systems by name. */
export const useSystems = () =>
  useQuery({
    queryKey: ['systems'],
    queryFn: ({ signal }) => call(list, { signal, background: true }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })

/** Refetches the list after a change. */
export const invalidateSystems = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['systems'] })

/** A system and its new key, until the dialog with the key is closed. */
export type NewKey = { system: WireSystem; key: string }
