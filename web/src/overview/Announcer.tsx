import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { onTick } from '../core/clock.ts'
import type { OverviewRow } from './useOverview.ts'
import { useOverviewTexts } from './useOverviewTexts.ts'

/** Changes are spoken together, at most once in this time. */
const INTERVAL_MS = 60_000

/** Live region for screen readers: the states of the stations after they changed. */
export function Announcer({ rows }: { rows: readonly OverviewRow[] | undefined }) {
  const { summary } = useOverviewTexts()
  const spoken = useSpoken(rows && summary(rows))
  return (
    <VisuallyHidden>
      <div role="status">{spoken}</div>
    </VisuallyHidden>
  )
}

/** The text, once it differs from the first one, updated at most once a minute. */
function useSpoken(text: string | undefined): string {
  const [spoken, setSpoken] = useState('')
  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
  })
  const hasText = text !== undefined
  useEffect(() => {
    if (!hasText) return
    let [known, at] = [latest.current, Number.NEGATIVE_INFINITY]
    return onTick((now) => {
      if (latest.current === known || now - at < INTERVAL_MS) return
      known = latest.current
      at = now
      setSpoken(known ?? '')
    })
  }, [hasText])
  return spoken
}
