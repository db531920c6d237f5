import { readSelf, type WireDeviceSelf } from '@rogatka/contract/devices.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { deviceSession } from '../core/device.ts'
import { useStore } from '../core/store.ts'

/** Below `self`, which is refetched when the server says that rights have changed. */
const DEVICE_QUERY = ['self', 'device']
/** An administrator may change what the screen shows, or extend its last day. */
const REFETCH_MS = 60_000

/** Whether this page is a wall screen with a token of its own. */
export const isDevice = (): boolean => deviceSession.get().token !== null

/** Whether the server refused the token: show `DeviceRefused` instead of the wall. */
export const useIsDeviceRefused = (): boolean => useStore(deviceSession).isRefused

/** What this wall screen shows; undefined until it is known, and on pages that are none. */
export function useDevice(): WireDeviceSelf | undefined {
  const { token } = useStore(deviceSession)
  const { data } = useQuery({
    queryKey: DEVICE_QUERY,
    queryFn: ({ signal }) => call(readSelf, { signal, background: true, despiteRefusal: true }),
    enabled: token !== null,
    refetchInterval: REFETCH_MS,
    refetchIntervalInBackground: true,
  })
  return data
}
