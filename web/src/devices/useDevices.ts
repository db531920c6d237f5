import { list, type WireDevice } from '@rogatka/contract/devices.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'

/** Keeps the times of the last requests of screens current. */
const REFRESH_MS = 30_000

/** All wall screens by name. */
export const useDevices = () =>
  useQuery({
    queryKey: ['devices', 'list'],
    queryFn: ({ signal }) => call(list, { signal, background: true }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })

/** Refetches the list after a change. */
export const invalidateDevices = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['devices'] })

/** A wall screen and its new token, until the dialog with its link is closed. */
export type NewLink = { device: WireDevice; token: string }
