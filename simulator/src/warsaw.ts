import { fromWarsaw as ofLocal, toWarsaw } from '@rogatka/domain/core/warsaw.ts'

/*
 * Days and hours as the road has them: in Europe/Warsaw, where a day may have 23 or 25 hours.
 */

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The number of a Warsaw day: days since 1970-01-01 on the local calendar. */
export const dayOf = (at: Date): number => Math.floor(toWarsaw(at.getTime()) / DAY)

/** The instant at which a local hour of a Warsaw day begins; hour 24 is the next midnight. */
export const instantOf = (day: number, hour: number): number => ofLocal(day * DAY + hour * HOUR)

/** The local hour of an instant, with its fraction: 13.5 is half past one in the afternoon. */
export const hourOf = (at: Date): number => (toWarsaw(at.getTime()) % DAY) / HOUR

/** 0 is Sunday, 6 Saturday. */
export const weekdayOf = (day: number): number => (day + 4) % 7

/** `20.10.2025 08:15:24`, as a camera stamps it. */
export const stampOf = (at: Date): string => {
  const local = new Date(toWarsaw(at.getTime())).toISOString()
  return `${local.slice(8, 10)}.${local.slice(5, 7)}.${local.slice(0, 4)} ${local.slice(11, 19)}`
}

/**
 * Whether the sun is down over central Poland (21° E): noon is at 10:36 UTC, and half a day lasts from under 4 hours in
 * December to over 8 in June.
 */
export const isNight = (at: Date): boolean => {
  const dayOfYear = (at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / DAY
  const half = 6 + 2.25 * Math.sin((2 * Math.PI * (dayOfYear - 80)) / 365)
  return Math.abs((at.getTime() % DAY) / HOUR - 10.6) > half
}
