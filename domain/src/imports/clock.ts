import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/time.ts'

/*
 * Local times of files. A local time is represented as the ms of the same wall-clock time in UTC.
 */

/** Times of a station that jump back by this much in the double hour show that its clock was set back. */
const MIN_JUMP_MS = 30 * MINUTE_MS
/** Offsets change on the half hour at the most. */
const OFFSET_STEP_MS = HOUR_MS / 2
const MAX_CACHED = 50_000
/** Stations with days whose latest time in the double hour is remembered: more than files of stations have. */
const MAX_STATION_DAYS = 10_000

/** UTC offset at an instant, ms. */
export type Zone = (at: number) => number

/** A zone by its name, `Europe/Warsaw`, or a fixed offset, `+01:00`. */
export function createZone(name: string): Zone {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(name) ?? []
  if (sign) {
    const offset = (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS) * (sign === '-' ? -1 : 1)
    return () => offset
  }
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: name,
    ...({ year: 'numeric', month: 'numeric', day: 'numeric' } as const),
    ...({ hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const),
  })
  const measured = (at: number) => {
    const parts = new Map(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    const date = new Date(0).setUTCFullYear(part('year'), part('month') - 1, part('day'))
    return date + ((part('hour') * 60 + part('minute')) * 60 + part('second')) * 1000 - at
  }
  const cache = new Map<number, number>()
  return (at) => {
    const step = Math.floor(at / OFFSET_STEP_MS)
    const found = cache.get(step)
    if (found !== undefined) return found
    if (cache.size >= MAX_CACHED) cache.clear()
    const offset = measured(step * OFFSET_STEP_MS)
    cache.set(step, offset)
    return offset
  }
}

/** The instants of a local time, the earlier one first: none in the hour left out, two in the double hour. */
export function instantsOf(zone: Zone, local: number): number[] {
  const offsets = [...new Set([zone(local - DAY_MS), zone(local + DAY_MS)])].sort((a, b) => b - a)
  return offsets.filter((offset) => zone(local - offset) === offset).map((offset) => local - offset)
}

/** Lines at which the clocks of stations were set back, by station and local day. */
export type ClockJumps = Record<string, number>

const jumpKey = (station: string, local: number) => `${station}|${new Date(local).toISOString().slice(0, 10)}`

/**
 * Finds the rows at which the times of a station jump back in the double hour; add all rows in the order of the file. In
 * bounded memory: of more than 10,000 stations and days the later ones have no jump.
 */
export function createJumpFinder(
  zone: Zone,
  maxStationDays = MAX_STATION_DAYS,
): {
  add: (station: string, local: number, line: number) => void
  jumps: ClockJumps
} {
  const jumps: ClockJumps = {}
  const latest = new Map<string, number>()
  return {
    add: (station, local, line) => {
      if (instantsOf(zone, local).length < 2) return
      const key = jumpKey(station, local)
      if (key in jumps) return
      const before = latest.get(key)
      if (before !== undefined && before - local >= MIN_JUMP_MS) jumps[key] = line
      else if (before !== undefined || latest.size < maxStationDays) latest.set(key, Math.max(before ?? local, local))
    },
    jumps,
  }
}

/**
 * The instant of a local time in a row, null if the clock never showed it. In the double hour: summer time until the
 * times of the station jump back; without such a jump winter time, which is then `isAmbiguous`.
 */
export function resolveLocal(
  zone: Zone,
  jumps: ClockJumps,
  { station, local, line }: { station: string; local: number; line: number },
): { at: number; isAmbiguous: boolean } | null {
  const [first, second] = instantsOf(zone, local)
  if (first === undefined) return null
  if (second === undefined) return { at: first, isAmbiguous: false }
  const jump = jumps[jumpKey(station, local)]
  if (jump === undefined) return { at: second, isAmbiguous: true }
  return { at: line < jump ? first : second, isAmbiguous: false }
}

/**
 * Counts vehicles of a station, direction, lane and hour, from 0: the ms by which their times differ. Memory grows with the
 * number of lanes.
 */
export function createHourCounter(): (station: string, lane: string, at: number) => number {
  const counts = new Map<string, { hour: number; count: number }[]>()
  return (station, lane, at) => {
    const key = `${station}|${lane}`
    const hours = counts.get(key) ?? []
    if (hours.length === 0) counts.set(key, hours)
    const found = hours.findLast(({ hour }) => hour === at)
    if (found) return found.count++
    // Files are in chronological order but for single rows: only the last hours are kept.
    if (hours.length >= MAX_HOURS) hours.shift()
    hours.push({ hour: at, count: 1 })
    return 0
  }
}

/** Hours of a lane that are remembered: a month. */
const MAX_HOURS = 31 * 24
