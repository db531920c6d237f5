import { DAY_MS, HOUR_MS } from './time.ts'

/*
 * Polish time, Europe/Warsaw, whose days may have 23 or 25 hours. A local time is represented as the ms of the same
 * wall-clock time in UTC.
 */

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Warsaw',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hourCycle: 'h23',
})

const measuredOffset = (at: number): number => {
  const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const date = new Date(0).setUTCFullYear(part('year'), part('month') - 1, part('day'))
  const time = ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1000
  return date + time - Math.floor(at / 1000) * 1000
}

/**
 * Cache of offsets by hour, as clock changes happen on the hour: Intl is slow, and reports need each hour thousands of
 * times.
 */
const offsetCache = new Map<number, number>()
const MAX_CACHED_OFFSETS = 20_000

/** UTC offset of Polish time at an instant, ms. */
function offsetAt(at: number): number {
  const hour = Math.floor(at / HOUR_MS)
  const found = offsetCache.get(hour)
  if (found !== undefined) return found
  if (offsetCache.size >= MAX_CACHED_OFFSETS) offsetCache.clear()
  const offset = measuredOffset(hour * HOUR_MS)
  offsetCache.set(hour, offset)
  return offset
}

/** Local time of an instant. */
export const toWarsaw = (at: number): number => at + offsetAt(at)

/** Instant of a local time. Ambiguous times map to the first instant; skipped times are moved forward. */
export const fromWarsaw = (local: number): number => {
  const before = offsetAt(local - DAY_MS)
  const after = offsetAt(local + DAY_MS)
  if (before === after) return local - before
  if (offsetAt(local - before) === before) return local - before
  if (offsetAt(local - after) === after) return local - after
  return local - before
}

/** Local midnight of the day of a local time. */
export const dayOf = (local: number): number => Math.floor(local / DAY_MS) * DAY_MS

/** The year, and the month from 0, of a local time. */
export const monthOf = (local: number): { year: number; month: number } => {
  const date = new Date(local)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() }
}

/** Local midnight of the first of a month, from 0; more than 11 months lead into later years. */
export const startOfMonth = (year: number, month: number): number =>
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  new Date(0).setUTCFullYear(year, month, 1)

export type WarsawTime = { year: number; month: number; day: number; hour: number; minute: number }

/** Calendar and clock fields of an instant; month from 1. */
export const warsawTime = (at: number): WarsawTime => {
  const date = new Date(toWarsaw(at))
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  }
}

/** Whether the local time occurs twice on this day: first in summer time, then in winter time. */
export const isAmbiguousTime = (at: number): boolean => {
  const local = toWarsaw(at)
  return toWarsaw(at - HOUR_MS) === local || toWarsaw(at + HOUR_MS) === local
}

/** `CEST` in summer, else `CET`. */
export const zoneName = (at: number): 'CEST' | 'CET' => (offsetAt(at) === 2 * HOUR_MS ? 'CEST' : 'CET')

/** Polish date of an instant, `2026-10-20`. */
export const dateOf = (at: Date): string => new Date(toWarsaw(at.getTime())).toISOString().slice(0, 10)
