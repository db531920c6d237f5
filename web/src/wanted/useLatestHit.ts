import { latestHits } from '@rogatka/contract/wanted.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../core/call.ts'
import { useOpenHits } from './openHits.ts'

/** Outcomes change when somebody else acts. */
const REFRESH_MS = 60_000

/** The newest hit, with its outcome; null: none yet, undefined: not known. */
export function useLatestHit() {
  const open = useOpenHits()
  const known = useRef(open)
  const { data, refetch } = useQuery({
    queryKey: ['wanted', 'latest-hit'],
    queryFn: ({ signal }) => call(latestHits, { query: { limit: 1 }, signal, background: true }),
    refetchInterval: REFRESH_MS,
    staleTime: 0,
  })
  useEffect(() => {
    if (known.current !== open) void refetch()
    known.current = open
  }, [open, refetch])
  return data && (data.content[0] ?? null)
}
