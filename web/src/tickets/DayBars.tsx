import type { DayState } from '@rogatka/contract/tickets-health.ts'
import css from './Health.module.css'

const [STEP, WIDTH, HEIGHT] = [5, 4, 18]
const MAX_DAYS = 31
const STATES = ['none', 'normal', 'attention', 'failure'] as const

/** A bar for each day of a month, in the colour of its worst state; failures are higher than attention, so that colour is not all. */
export function DayBars({ days, label }: { days: readonly DayState[]; label: string }) {
  const bars = (state: DayState) =>
    days.flatMap((one, i) => {
      const top = state === 'attention' ? 4 : state === 'failure' ? 0 : 1
      return one === state ? `M${i * STEP} ${top}h${WIDTH}V${HEIGHT + 1}h-${WIDTH}z` : []
    })
  return (
    <svg
      className={css.days}
      width={MAX_DAYS * STEP}
      height={HEIGHT + 2}
      viewBox={`0 0 ${MAX_DAYS * STEP} ${HEIGHT + 2}`}
      role="img"
      aria-label={label}
    >
      {STATES.map((state) => {
        const path = bars(state).join('')
        return path && <path key={state} d={path} data-day={state} />
      })}
    </svg>
  )
}
