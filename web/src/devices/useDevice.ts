import { readSelf, type WireDeviceSelf } from '@rogatka/contract/devices.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { deviceSession } from '../core/device.ts'
import { useStore } from '../core/store.ts'

/** An administrator may change what the screen shows. */
const REFETCH_MS = 60_000

/** Whether this page is a wall screen with a token of its own. */
export const isDevice = (): boolean => deviceSession.get().token !== null

/** Whether the server refused the token: show `DeviceRefused` instead of the wall. */
export const useIsDeviceRefused = (): boolean => useStore(deviceSession).isRefused

/** What this wall screen shows; undefined until it is known, and on pages that are none. */
export function useDevice(): WireDeviceSelf | undefined {
  const { token, isRefused } = useStore(deviceSession)
  const { data } = useQuery({
    queryKey: ['device', 'self'],
    queryFn: ({ signal }) => call(readSelf, { signal, background: true }),
    enabled: token !== null && !isRefused,
    refetchInterval: REFETCH_MS,
    refetchIntervalInBackground: true,
  })
  return data
}
