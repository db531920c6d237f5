import { type RefObject, useEffect, useRef, useState } from 'react'
import { localNow, onTick, serverNow } from '../core/clock.ts'

/** Older data is marked. */
const OLD_MS = 10_000
/** On older data nothing is counted down. */
const LOST_MS = 60_000
/** A stream without news sends something every 15 s: until then other responses show that nothing is missing. */
const QUIET_STREAM_MS = 20_000

export type DataAge = {
  state: 'current' | 'old' | 'lost'
  /** ms, at present. */
  now: () => number
}

/**
 * Age of what the screen shows. `respondedAt`: local time of the last response about vehicles, null before the first;
 * `stationsAt`: server time of the state of the stations.
 */
export function useDataAge(respondedAt: RefObject<number | null>, stationsAt: number | undefined): DataAge {
  const [startedAt] = useState(localNow)
  const [state, setState] = useState<DataAge['state']>('current')
  const ageOf = () => {
    const vehicles = localNow() - (respondedAt.current ?? startedAt)
    const stations = stationsAt === undefined ? vehicles : serverNow() - stationsAt
    return Math.max(0, vehicles > QUIET_STREAM_MS ? vehicles : Math.min(vehicles, stations))
  }
  const latest = useRef(ageOf)
  latest.current = ageOf
  useEffect(
    () =>
      onTick(() => {
        const age = latest.current()
        setState(age > LOST_MS ? 'lost' : age > OLD_MS ? 'old' : 'current')
      }),
    [],
  )
  const [now] = useState(() => () => latest.current())
  return { state, now }
}
