import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { navCounts } from '../core/navCounts.ts'
import { useStore } from '../core/store.ts'
import { queueStation } from './queueStation.ts'
import { countQueue, NO_TIMES, queueTimesQuery, useQueueTime } from './queueTimes.ts'
import { followWork, hasUnsent, work } from './work.ts'

const COUNT_MS = 15_000

/** Loaded when there is something to send. */
async function sendIfAny() {
  if (Object.values(work.get().all).some(hasUnsent)) (await import('./sending.ts')).sendUnsent()
}

/** On every page: sends what an officer has entered, and counts the queue for the navigation. */
export function InspectionWatch() {
  const { data: times = NO_TIMES } = useQuery({ ...queueTimesQuery(useStore(queueStation)), refetchInterval: COUNT_MS })
  const { coming, taken } = countQueue(times, useQueueTime(times))
  const count = coming + taken
  useEffect(() => {
    navCounts.set((counts) => ({ ...counts, '/inspections': count }))
    return () => navCounts.set(({ '/inspections': _, ...others }) => others)
  }, [count])
  useEffect(() => {
    const stop = followWork()
    const send = () => void sendIfAny()
    send()
    const unsubscribe = work.subscribe(send)
    addEventListener('online', send)
    return () => {
      stop()
      unsubscribe()
      removeEventListener('online', send)
    }
  }, [])
  return null
}
