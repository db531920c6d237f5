import { useEffect, useState } from 'react'
import { BANNER_MS } from './errors.ts'

/** Calls `clear` 10 s after the value changed. */
export function useAutoClear(value: unknown, clear: () => void): void {
  useEffect(() => {
    if (value === null) return
    const timer = setTimeout(clear, BANNER_MS)
    return () => clearTimeout(timer)
  }, [value, clear])
}

/** Error for the banner of a form or page: disappears after 10 s, or when dismissed (`show(null)`). */
export function useBanner() {
  const [message, setMessage] = useState<{ error: unknown } | null>(null)
  const [{ show, clear }] = useState(() => ({
    show: (error: unknown) => setMessage(error === null ? null : { error }),
    clear: () => setMessage(null),
  }))
  useAutoClear(message, clear)
  return { message, show, clear }
}
