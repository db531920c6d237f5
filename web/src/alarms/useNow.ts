import { useEffect, useState } from 'react'
import { onTick, serverNow } from '../core/clock.ts'

/** Server time, ms since the epoch, rounded down to a step; re-renders once a step. */
export function useNow(stepMs: number): number {
  const round = (now: number) => Math.floor(now / stepMs) * stepMs
  const [now, setNow] = useState(() => round(serverNow()))
  useEffect(() => onTick((at) => setNow(Math.floor(at / stepMs) * stepMs)), [stepMs])
  return now
}
