/*
 * Days and hours as the road has them: in Europe/Warsaw, where a day may have 23 or 25 hours.
 */

const HOUR = 3_600_000
const DAY = 24 * HOUR

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Warsaw',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

const field = (parts: Intl.DateTimeFormatPart[], type: Intl.DateTimeFormatPartTypes): number =>
  Number(parts.find((part) => part.type === type)?.value)

/** Milliseconds that Warsaw is ahead of UTC at an instant. */
const offsetAt = (at: number): number => {
  const parts = clock.formatToParts(at)
  const local = Date.UTC(
    field(parts, 'year'),
    field(parts, 'month') - 1,
    field(parts, 'day'),
    field(parts, 'hour'),
    field(parts, 'minute'),
    field(parts, 'second'),
  )
  return local - Math.floor(at / 1000) * 1000
}

/** The number of a Warsaw day: days since 1970-01-01 on the local calendar. */
export const dayOf = (at: Date): number => Math.floor((at.getTime() + offsetAt(at.getTime())) / DAY)

/** The instant at which a local hour of a Warsaw day begins; hour 24 is the next midnight. */
export const instantOf = (day: number, hour: number): number => {
  const local = day * DAY + hour * HOUR
  return local - offsetAt(local - offsetAt(local))
}

/** The local hour of an instant, with its fraction: 13.5 is half past one in the afternoon. */
export const hourOf = (at: Date): number => ((at.getTime() + offsetAt(at.getTime())) % DAY) / HOUR

/** 0 is Sunday, 6 Saturday. */
export const weekdayOf = (day: number): number => (day + 4) % 7

/** `20.10.2025 08:15:24`, as a camera stamps it. */
export const stampOf = (at: Date): string => {
  const local = new Date(at.getTime() + offsetAt(at.getTime())).toISOString()
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
