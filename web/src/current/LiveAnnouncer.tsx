import { VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onTick } from '../core/clock.ts'
import { useStore } from '../core/store.ts'
import { live } from './live.ts'
import { useHitSentence } from './useHitSentence.ts'

/** Arrivals are announced together, so that a busy road does not cause continuous speech. */
const INTERVAL_MS = 10_000

/** Live region for screen readers: arrivals politely, each wanted vehicle immediately. */
export function LiveAnnouncer() {
  const { t } = useTranslation('current')
  const count = useArrivals()
  const sentenceOf = useHitSentence()
  const { hits } = useStore(live)
  // Only hits after mounting: earlier ones were announced on the previous page.
  const [initialHits] = useState(hits)
  return (
    <VisuallyHidden>
      <div role="status">{count > 0 && t('core:new-vehicles', { count })}</div>
      <div role="alert">{hits !== initialHits && hits.map(sentenceOf).join('. ')}</div>
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
