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
  const { count, number } = useArrivals()
  return (
    <VisuallyHidden>
      {/* In a new element, so that an equal text is spoken, too. */}
      <div role="status">{count > 0 && <span key={number}>{t('core:new-vehicles', { count })}</span>}</div>
    </VisuallyHidden>
  )
}

/** Arrivals of the last ten seconds, updated every ten seconds; `number` of the update. */
function useArrivals() {
  const [arrivals, setArrivals] = useState({ count: 0, number: 0 })
  useEffect(() => {
    let announced = live.get().arrived
    let next: number | undefined
    return onTick((now) => {
      next ??= now + INTERVAL_MS
      // Also continues after the clock was set back.
      if (now < next && next - now <= INTERVAL_MS) return
      next = now + INTERVAL_MS
      const { arrived } = live.get()
      const count = Math.max(0, arrived - announced)
      setArrivals(({ number }) => ({ count, number: number + 1 }))
      announced = arrived
    })
  }, [])
  return arrivals
}
