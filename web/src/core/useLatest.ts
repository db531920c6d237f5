import { useCallback, useEffect, useRef } from 'react'

/** A function that never changes and calls the latest one. */
export function useLatest<A extends unknown[]>(run: (...args: A) => void): (...args: A) => void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  return useCallback((...args: A) => latest.current(...args), [])
}
