import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { toWarsaw } from '@rogatka/domain/core/warsaw.ts'

/** A date whose UTC fields are Warsaw local time. */
export const warsawClock = (at: Date): Date => new Date(toWarsaw(at.getTime()))

/** More than two years. */
const MAX_CACHED_HOURS = 20_000

const days = new Map<number, string>()
const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))

/** 2026-10-20T08:15:24.007Z: like toISOString but three times faster, by caching days. */
export function isoText(ms: number): string {
  const day = Math.floor(ms / DAY_MS)
  let text = days.get(day)
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, 11)
    if (days.size > 20_000) days.clear()
    days.set(day, text)
  }
  const time = ms - day * DAY_MS
  const seconds = Math.floor(time / 1000)
  const minutes = Math.floor(seconds / 60)
  const rest = String(time % 1000).padStart(3, '0')
  return `${text}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${rest}Z`
}

const hours = new Map<number, { warsaw: string; utc: string }>()
const threeDigits = Array.from({ length: 1_000 }, (_, value) => String(value).padStart(3, '0'))

/**
 * The texts of warsawIso and isoText, for long lists: cached by hour, as clocks change on the hour (since 1915).
 */
export function timeTexts(ms: number): { warsaw: string; utc: string } {
  const hour = Math.floor(ms / HOUR_MS)
  let texts = hours.get(hour)
  if (texts === undefined) {
    const start = hour * HOUR_MS
    texts = { warsaw: warsawIso(new Date(start)).slice(0, 14), utc: isoText(start).slice(0, 14) }
    if (hours.size >= MAX_CACHED_HOURS) hours.clear()
    hours.set(hour, texts)
  }
  const time = ms - hour * HOUR_MS
  const seconds = Math.floor(time / 1000)
  const clock = `${twoDigits[Math.floor(seconds / 60)]}:${twoDigits[seconds % 60]}`
  return { warsaw: texts.warsaw + clock, utc: `${texts.utc}${clock}.${threeDigits[time % 1000]}Z` }
}

/** Warsaw local time, formatted as by isoText. */
const warsawText = (at: Date) => isoText(toWarsaw(at.getTime()))

/** 2026-10-20 10:15:24 */
export function warsawIso(at: Date): string {
  const iso = warsawText(at)
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
}

/** 20.10.2026 */
export function warsawDate(at: Date): string {
  const iso = warsawText(at)
  return `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)}`
}

/** 20.10.2026 10:15:24 */
export function warsawTime(at: Date): string {
  const iso = warsawText(at)
  return `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)} ${iso.slice(11, 19)}`
}

/** 20_10_2026_10_15_24, for file names. */
export const warsawStamp = (at: Date): string => warsawTime(at).replace(/\W/g, '_')
