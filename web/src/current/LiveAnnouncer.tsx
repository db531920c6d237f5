import { VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onTick } from '../core/clock.ts'
import { live } from './live.ts'

/** Arrivals are announced together, so that a busy road does not cause continuous speech. */
const INTERVAL_MS = 10_000

/** Live region for screen readers: arrivals, politely. Wanted vehicles are announced on every page. */
export function LiveAnnouncer() {
  const { t } = useTranslation('current')
  const count = useArrivals()
  return (
    <VisuallyHidden>
      <div role="status">{count > 0 && t('core:new-vehicles', { count })}</div>
    </VisuallyHidden>
  )
}

/** Arrivals of the last ten seconds, updated every ten seconds. */
function useArrivals(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    let announced = live.get().arrived
    let next: number | undefined
    return onTick((now) => {
      next ??= now + INTERVAL_MS
      // Also continues after the clock was set back.
      if (now < next && next - now <= INTERVAL_MS) return
      next = now + INTERVAL_MS
      const { arrived } = live.get()
      setCount(Math.max(0, arrived - announced))
      announced = arrived
    })
  }, [])
  return count
}
