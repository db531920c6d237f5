import { useEffect, useState } from 'react'

/** Whether a time (local ms since the epoch) is more than `ageMs` ago; re-renders when it becomes so. */
export function useIsOlderThan(moment: number, ageMs: number): boolean {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, moment + ageMs - Date.now()) + 1)
    return () => clearTimeout(timer)
  }, [moment, ageMs])
  return now - moment > ageMs
}
