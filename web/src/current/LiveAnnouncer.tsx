import { VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onTick } from '../core/clock.ts'
import { useStore } from '../core/store.ts'
import { live } from './live.ts'
import { useHitSentence } from './useHitSentence.ts'

/** Arrivals are counted together, so that a busy road does not talk without end. */
const EVERY_MS = 10_000

/** What a screen reader hears of the list: how many vehicles came, politely, and each wanted one at once. */
export function LiveAnnouncer() {
  const { t } = useTranslation('current')
  const count = useArrivals()
  const sentenceOf = useHitSentence()
  const { hits } = useStore(live)
  // Only what comes while the list is on the screen: the others were announced where the operator was.
  const [before] = useState(hits)
  return (
    <VisuallyHidden>
      <div role="status">{count > 0 && t('core:new-vehicles', { count })}</div>
      <div role="alert">{hits !== before && hits.map(sentenceOf).join('. ')}</div>
    </VisuallyHidden>
  )
}

/** Arrivals of the last ten seconds, counted anew each time they are over. */
function useArrivals(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    let told = live.get().arrived
    let next: number | undefined
    return onTick((now) => {
      next ??= now + EVERY_MS
      // A clock that was set back must not silence it.
      if (now < next && next - now <= EVERY_MS) return
      next = now + EVERY_MS
      const { arrived } = live.get()
      setCount(Math.max(0, arrived - told))
      told = arrived
    })
  }, [])
  return count
}
