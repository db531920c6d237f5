import { queueTimes, type WireQueueTimes } from '@rogatka/contract/inspections-queue.ts'
import { queryOptions } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../core/call.ts'
import { onTick, serverNow } from '../core/clock.ts'

/** Until they are loaded. */
export const NO_TIMES: WireQueueTimes = { taken: 0, arrivals: [] }

/** Times of the queue of a station, or of all. The queue itself writes them, too, so that page and navigation agree. */
export const queueTimesQuery = (locationId: number | null) =>
  queryOptions({
    queryKey: ['inspections', 'queue', locationId],
    queryFn: ({ signal }) =>
      call(queueTimes, {
        query: locationId === null ? {} : { locations: [locationId] },
        signal,
        background: true,
      }),
    staleTime: 0,
  })

const arrivedBy = (arrivals: WireQueueTimes['arrivals'], now: number): number =>
  arrivals.filter((arrival) => arrival !== null && Date.parse(arrival) < now).length

/** Counts of the queue; their sum is that of the navigation: announced, not passed and not finished. */
export const countQueue = ({ taken, arrivals }: WireQueueTimes, now: number) => ({
  coming: arrivals.length - arrivedBy(arrivals, now),
  taken,
})

/** The time at which the queue is shown; renders again when a vehicle reaches the checkpoint. */
export function useQueueTime({ arrivals }: WireQueueTimes): number {
  const [, setArrived] = useState(0)
  useEffect(() => onTick((now) => setArrived(arrivedBy(arrivals, now))), [arrivals])
  return serverNow()
}
