import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { fromWarsaw, toWarsaw } from '@rogatka/domain/core/warsaw.ts'

/*
 * Days and hours in Europe/Warsaw, where a day may have 23 or 25 hours.
 */

/** Number of a Warsaw day: local days since 1970-01-01. */
export const dayOf = (at: Date): number => Math.floor(toWarsaw(at.getTime()) / DAY_MS)

/** Start of a local hour of a Warsaw day, in Unix ms; hour 24 is the next midnight. */
export const instantOf = (day: number, hour: number): number => fromWarsaw(day * DAY_MS + hour * HOUR_MS)

/** Local hour with its fraction: 13.5 is 13:30. */
export const hourOf = (at: Date): number => (toWarsaw(at.getTime()) % DAY_MS) / HOUR_MS

/** 0 is Sunday, 6 Saturday. */
export const weekdayOf = (day: number): number => (day + 4) % 7

/** Local time as in a camera stamp: `20.10.2025 08:15:24`. */
export const stampOf = (at: Date): string => {
  const local = new Date(toWarsaw(at.getTime())).toISOString()
  return `${local.slice(8, 10)}.${local.slice(5, 7)}.${local.slice(0, 4)} ${local.slice(11, 19)}`
}

/**
 * True after sunset and before sunrise in central Poland (21° E): solar noon is at 10:36 UTC, and half of the day length
 * varies from under 4 hours in December to over 8 in June.
 */
export const isNight = (at: Date): boolean => {
  const dayOfYear = (at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / DAY_MS
  const half = 6 + 2.25 * Math.sin((2 * Math.PI * (dayOfYear - 80)) / 365)
  return Math.abs((at.getTime() % DAY_MS) / HOUR_MS - 10.6) > half
}
