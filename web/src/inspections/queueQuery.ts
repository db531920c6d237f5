import { list, type WireInspection } from '@rogatka/contract/inspections.ts'
import { queryOptions } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../core/call.ts'
import { onTick, serverNow } from '../core/clock.ts'
import { countArrived } from './queue.ts'

const MAX_QUEUE = 100

/** The queue of a station, or of all: one request for the page and the navigation, so that they agree. */
export const queueQuery = (locationId: number | null) =>
  queryOptions({
    queryKey: ['inspections', 'list', 'open', locationId],
    queryFn: ({ signal }) =>
      call(list, {
        query: { open: true, limit: MAX_QUEUE, ...(locationId !== null && { locations: [locationId] }) },
        signal,
        background: true,
      }),
    staleTime: 0,
  })

/** The time at which the queue is shown; renders again when a vehicle reaches the checkpoint. */
export function useQueueTime(inspections: readonly WireInspection[]): number {
  const [, setArrived] = useState(0)
  useEffect(() => onTick((now) => setArrived(countArrived(inspections, now))), [inspections])
  return serverNow()
}
