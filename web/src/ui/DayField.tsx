import type { ReactNode } from 'react'
import { DateTimeField } from './DateTimeField.tsx'
import { instantAt, toWallClock } from './dateRange.ts'

type Props = {
  label: string
  /** A day in Poland: `2026-10-20`. */
  value: string | null
  onChange: (day: string | null) => void
  required?: boolean
  /** Label of the clear button; absent: cannot be cleared. */
  clearLabel?: string | undefined
  error?: ReactNode
}

/** A day, typed as `20.10.2025` or picked from a calendar. */
export const DayField = ({ value, onChange, ...props }: Props) => (
  <DateTimeField
    {...props}
    dayOnly
    value={value && instantAt(`${value} 00:00:00`)}
    onChange={(instant) => onChange(instant && toWallClock(instant).slice(0, 10))}
  />
)
