import { list } from '@rogatka/contract/inspections.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../core/call.ts'
import { navCounts } from '../core/navCounts.ts'
import { followWork, hasUnsent, work } from './work.ts'

const COUNT_MS = 15_000

/** Loaded when there is something to send. */
async function sendIfAny() {
  if (Object.values(work.get().all).some(hasUnsent)) (await import('./sending.ts')).sendUnsent()
}

/** On every page: sends what an officer has entered, and counts the open inspections for the navigation. */
export function InspectionWatch() {
  const { data } = useQuery({
    queryKey: ['inspections', 'list', 'count'],
    queryFn: async ({ signal }) =>
      (
        await call(list, {
          query: { states: ['announced', 'takenOver', 'weighed'], limit: 1 },
          signal,
          background: true,
        })
      ).totalCount,
    staleTime: 0,
    refetchInterval: COUNT_MS,
  })
  useEffect(() => {
    navCounts.set((counts) => ({ ...counts, '/inspections': data ?? 0 }))
    return () => navCounts.set(({ '/inspections': _, ...others }) => others)
  }, [data])
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
