import type { ListFlags, WireVehicle } from '@rogatka/contract/vehicle.ts'
import { type FeedHandlers, type FeedPosition, follow } from './feed.ts'
import type { CurrentSearch } from './search.ts'

type Handlers = Pick<FeedHandlers, 'onResponse'> & {
  onVehicles: (vehicles: readonly WireVehicle[]) => void
  /** The permissions of the session have changed: what was received may no longer be shown. The list is sent again. */
  onClear: () => void
}

/** Follows live vehicles beside the live list, with these details. Returns the function that stops it. */
export function followVehicles(search: CurrentSearch, handlers: Handlers, details: ListFlags): () => void {
  let following = new AbortController()
  const start = () => {
    const { signal } = following
    const position: FeedPosition = { lastEventId: null, opened: false }
    const received = {
      onVehicles: (vehicles: readonly WireVehicle[]) => {
        if (!signal.aborted) handlers.onVehicles(vehicles)
      },
      onCounters: () => undefined,
      onSessionChanged: () => {
        following.abort()
        handlers.onClear()
        following = new AbortController()
        start()
      },
      onResponse: handlers.onResponse,
      onFailure: () => undefined,
    }
    void follow(() => search, position, received, signal, details)
  }
  start()
  return () => following.abort()
}
