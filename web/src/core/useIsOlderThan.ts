import { useEffect, useState } from 'react'

/** Whether a moment (ms since the epoch, by this machine's clock) is further back than so many ms, as time passes. */
export function useIsOlderThan(moment: number, ageMs: number): boolean {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, moment + ageMs - Date.now()) + 1)
    return () => clearTimeout(timer)
  }, [moment, ageMs])
  return now - moment > ageMs
}
