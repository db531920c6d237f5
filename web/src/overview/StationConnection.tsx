import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useTicking } from '../core/clock.ts'
import { StatusMark } from '../ui/StatusMark.tsx'
import css from './StationStrip.module.css'
import type { OverviewRow } from './useOverview.ts'
import { shortTime } from './useOverviewTexts.ts'

/** After this time without a message the text names its time instead of its age. */
const AGE_SHOWN_MS = 60_000

type Props = {
  row: OverviewRow
  /** Time of a newer vehicle than that of the row, ms. */
  newest?: number | undefined
  isStale: boolean
}

/** State of a station's connection, and the age of its newest message. */
export function StationConnection({ row: { condition }, newest = 0, isStale }: Props) {
  const { t } = useTranslation('overview')
  const { lastMessageAt, silentSince } = condition
  const last = lastMessageAt === null && newest === 0 ? null : Math.max(newest, Date.parse(lastMessageAt ?? '') || 0)
  const text = useCallback(
    (now: number) => {
      if (last === null) return t('never-sent')
      if (now - last > AGE_SHOWN_MS) return t('silent-since', { time: shortTime(last, now) })
      return t('ago', { seconds: Math.max(0, Math.floor((now - last) / 1_000)) })
    },
    [t, last],
  )
  const state = isStale ? 'unknown' : silentSince ? 'malfunction' : last === null ? 'unavailable' : 'working'
  return (
    <div className={css.feed}>
      <StatusMark status={state} />
      <span ref={useTicking(text)} />
    </div>
  )
}
