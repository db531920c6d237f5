import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { navCounts } from '../core/navCounts.ts'
import { useStore } from '../core/store.ts'
import { point } from './point.ts'
import { countQueue } from './queue.ts'
import { queueQuery, useQueueTime } from './queueQuery.ts'
import { followWork, hasUnsent, work } from './work.ts'

const COUNT_MS = 15_000
const NONE: readonly WireInspection[] = []

/** Loaded when there is something to send. */
async function sendIfAny() {
  if (Object.values(work.get().all).some(hasUnsent)) (await import('./sending.ts')).sendUnsent()
}

/** On every page: sends what an officer has entered, and counts the queue for the navigation. */
export function InspectionWatch() {
  const { data } = useQuery({ ...queueQuery(useStore(point)), refetchInterval: COUNT_MS })
  const inspections = data?.content ?? NONE
  const { coming, taken } = countQueue(inspections, useQueueTime(inspections))
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
