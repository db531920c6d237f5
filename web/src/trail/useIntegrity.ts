import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { checkIntegrity, integrity } from '@rogatka/contract/trail.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'

export type Integrity = WireOf<typeof integrity, 'response'>

/** While a check runs its result is asked for this often. */
const POLL_MS = 2_000

/** Whether the chains of hashes hold. */
export const useIntegrity = () =>
  useQuery({
    queryKey: ['trail', 'integrity'],
    queryFn: ({ signal }) => call(integrity, { signal, background: true }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.isChecking ? POLL_MS : false),
  })

/** Requests a check. @throws as `call` */
export const requestCheck = () => call(checkIntegrity)
