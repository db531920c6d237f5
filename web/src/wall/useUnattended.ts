import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { useEffect, useState } from 'react'
import { serverNow } from '../core/clock.ts'
import { formatClock } from '../core/format.ts'
import { reloadWhenReachable } from '../core/wallScreen.ts'
import { isApproaching, openHitsNow } from '../wanted/publicApi.ts'

/** Each pixel shows the same for months, and burns in: the picture moves by 2 px. */
const SHIFT_MS = 600_000
const SHIFTS = ['none', 'translate(2px)', 'translate(2px, 2px)', 'translate(0, 2px)']

/** Moves the picture against burn-in: the CSS transform at present. */
export function usePixelShift(): string | undefined {
  const [step, setStep] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setStep((before) => (before + 1) % SHIFTS.length), SHIFT_MS)
    return () => clearInterval(timer)
  }, [])
  return SHIFTS[step]
}

const CHECK_MS = 60_000
/** Polish time. */
const RELOAD_HOUR = '04:'
/** So that the page reloads once a night. */
const MIN_UPTIME_MS = 2 * HOUR_MS

/** Reloads the page every night, for a new release and fresh memory, but not while a wanted vehicle is on its way. */
export function useNightlyReload(): void {
  useEffect(() => {
    const openedAt = performance.now()
    const timer = setInterval(() => {
      const isDue = performance.now() - openedAt > MIN_UPTIME_MS && formatClock(serverNow()).startsWith(RELOAD_HOUR)
      if (isDue && !openHitsNow().some((hit) => isApproaching(hit))) void reloadWhenReachable()
    }, CHECK_MS)
    return () => clearInterval(timer)
  }, [])
}
