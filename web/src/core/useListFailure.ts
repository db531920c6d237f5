import { useEffect, useRef } from 'react'
import { useWarningToast } from './useWarningToast.ts'

/** Logs that a list could not be loaded; shows a toast if an older result is still on the screen. */
export function useListFailure(title: string, error: unknown, hasData: boolean): void {
  const showWarning = useWarningToast()
  const latest = useRef({ title, showWarning, hasData })
  useEffect(() => {
    latest.current = { title, showWarning, hasData }
  })
  useEffect(() => {
    if (!error) return
    if (latest.current.hasData) latest.current.showWarning(latest.current.title, error)
    else console.warn(latest.current.title, error)
  }, [error])
}
