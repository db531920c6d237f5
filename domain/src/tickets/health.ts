import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/time.ts'
import { toWarsaw } from '../core/warsaw.ts'
import { FIRST_VEHICLE_MS } from '../locations/availability.ts'

/** Vehicles per hour by slot: 24 hours of working days, then of Saturdays and Sundays; null if unknown. */
type TypicalTraffic = readonly (number | null)[]
export const SLOTS = 48

/** Slot of an instant in Polish time. */
export function slotAt(at: number): number {
  const date = new Date(toWarsaw(at))
  const isWeekend = [0, 6].includes(date.getUTCDay())
  return (isWeekend ? 24 : 0) + date.getUTCHours()
}

/** Expected number of vehicles between two instants; an unknown type of day uses the other one. */
export function expectedVehicles(typical: TypicalTraffic, from: Date, to: Date): number {
  let expected = 0
  // Clock changes are on the hour, so every hour is in one slot.
  for (let at = from.getTime(); at < to.getTime(); ) {
    const end = Math.min(to.getTime(), Math.floor(at / HOUR_MS) * HOUR_MS + HOUR_MS)
    const slot = slotAt(at)
    const perHour = typical[slot] ?? typical[(slot + 24) % SLOTS] ?? 0
    expected += (perHour * (end - at)) / HOUR_MS
    at = end
  }
  return expected
}

/** A lane or station has no data if nothing arrived for this long, in which at least this many vehicles are expected. */
const NO_DATA_MINUTES = 10
const MIN_EXPECTED_VEHICLES = 10
/** As long as typical traffic is learnt from. A station that was silent for all of it has failed, however quiet it is. */
const MAX_LOOKBACK_MS = 14 * DAY_MS
/** The same while not every hour of the day is known, as of a station that sent a few vehicles at its installation. */
const MAX_SILENCE_OF_NEW_MS = DAY_MS
/** The failure ends when this share of the expected vehicles has arrived in the last minutes. */
const RECOVERY = { minutes: 10, share: 1 / 4 }

type Flow = {
  lastVehicleTime: Date | null
  /** Vehicles of the last 10 minutes. */
  recent: number
  typical: TypicalTraffic
  /** For a whole station: when it was added. */
  addedAt?: Date
  /** Since when the portal watches it without interruption: nothing is expected before. */
  watchedSince?: Date | undefined
}
type CheckResult<E> = { state: 'well' | 'bad' | 'unknown'; evidence: E }

/** Whether each hour of the day is known, of either type of day. */
const hasWholeDay = (typical: TypicalTraffic): boolean =>
  Array.from({ length: 24 }, (_, hour) => typical[hour] ?? typical[hour + 24] ?? null).every((rate) => rate !== null)

/** Whether data is missing. `wasFailing`: the first vehicle alone does not end the failure. */
export function evaluateNoData(
  { lastVehicleTime, recent, typical, addedAt, watchedSince }: Flow,
  wasFailing: boolean,
  now: Date,
): CheckResult<{ lastVehicleTime: Date | null; silentMinutes: number | null; expectedVehicles: number | null }> {
  if (lastVehicleTime === null && addedAt && now.getTime() - addedAt.getTime() >= FIRST_VEHICLE_MS) {
    const silentMinutes = Math.floor((now.getTime() - addedAt.getTime()) / MINUTE_MS)
    return { state: 'bad', evidence: { lastVehicleTime, silentMinutes, expectedVehicles: null } }
  }
  const isUnknown = typical.every((perHour) => perHour === null)
  if (lastVehicleTime === null || (isUnknown && !addedAt))
    return withoutTypicalTraffic(lastVehicleTime, recent, wasFailing)
  const silentMs = Math.max(0, now.getTime() - lastVehicleTime.getTime())
  const from = Math.max(lastVehicleTime.getTime(), now.getTime() - MAX_LOOKBACK_MS, watchedSince?.getTime() ?? 0)
  const expected = expectedVehicles(typical, new Date(from), now)
  const evidence = {
    lastVehicleTime,
    silentMinutes: Math.floor(silentMs / MINUTE_MS),
    expectedVehicles: isUnknown ? null : Math.round(expected * 10) / 10,
  }
  if (now.getTime() - from >= NO_DATA_MINUTES * MINUTE_MS && expected >= MIN_EXPECTED_VEHICLES)
    return { state: 'bad', evidence }
  const maxSilenceMs = hasWholeDay(typical) ? MAX_LOOKBACK_MS : MAX_SILENCE_OF_NEW_MS
  if (addedAt && now.getTime() - from >= maxSilenceMs)
    return { state: 'bad', evidence: { ...evidence, expectedVehicles: null } }
  if (isUnknown) return withoutTypicalTraffic(lastVehicleTime, recent, wasFailing)
  const expectedRecently = expectedVehicles(typical, new Date(now.getTime() - RECOVERY.minutes * MINUTE_MS), now)
  const hasRecovered = recent >= Math.max(1, expectedRecently * RECOVERY.share)
  return { state: wasFailing && !hasRecovered ? 'bad' : 'well', evidence }
}

/** The first vehicles end a failure, as typical traffic is not known. */
function withoutTypicalTraffic(
  lastVehicleTime: Date | null,
  recent: number,
  wasFailing: boolean,
): ReturnType<typeof evaluateNoData> {
  const evidence = { lastVehicleTime, silentMinutes: null, expectedVehicles: null }
  return { state: wasFailing && recent > 0 ? 'well' : 'unknown', evidence }
}

/** Percents above which a check fails and below which it recovers, and the minimum number of vehicles. */
type Threshold = { failsAbove: number; recoversBelow: number; minVehicles: number }
export const MISSING_IMAGES: Threshold = { failsAbove: 50, recoversBelow: 25, minVehicles: 20 }
export const UNREADABLE_PLATES: Threshold = { failsAbove: 40, recoversBelow: 25, minVehicles: 50 }

/** Evaluates the share of faulty vehicles. */
export function evaluateShare(
  { faulty, vehicles }: { faulty: number; vehicles: number },
  { failsAbove, recoversBelow, minVehicles }: Threshold,
  wasFailing: boolean,
): CheckResult<{ vehicles: number; sharePercent: number | null }> {
  if (vehicles < minVehicles) return { state: 'unknown', evidence: { vehicles, sharePercent: null } }
  const share = (100 * faulty) / vehicles
  const evidence = { vehicles, sharePercent: Math.round(share * 10) / 10 }
  if (share > failsAbove) return { state: 'bad', evidence }
  return { state: wasFailing && share >= recoversBelow ? 'bad' : 'well', evidence }
}

/** Maximum lead of a station's clock, and maximum delay of its fastest delivery, seconds. */
const CLOCK = { aheadSeconds: 30, behindSeconds: 120, minVehicles: 10 }

const inTenths = (value: number): number => Math.round(value * 10) / 10 || 0

/**
 * Evaluates a station's clock by its fastest delivery: a vehicle that arrives before it passed means that the clock is
 * ahead; a late fastest delivery means that the clock, or the connection, is behind. Positive: ahead.
 */
export function evaluateClock({
  vehicles,
  fastestSeconds,
  rejectedAheadSeconds,
}: {
  vehicles: number
  /** From detection to arrival. */
  fastestSeconds: number | null
  /** Of vehicles rejected because of a time in the future. */
  rejectedAheadSeconds: number | null
}): CheckResult<{ vehicles: number; clockSeconds: number | null }> {
  if (rejectedAheadSeconds !== null) {
    return { state: 'bad', evidence: { vehicles, clockSeconds: inTenths(rejectedAheadSeconds) } }
  }
  if (fastestSeconds === null || vehicles < CLOCK.minVehicles) {
    return { state: 'unknown', evidence: { vehicles, clockSeconds: null } }
  }
  const isFailing = fastestSeconds <= -CLOCK.aheadSeconds || fastestSeconds >= CLOCK.behindSeconds
  return { state: isFailing ? 'bad' : 'well', evidence: { vehicles, clockSeconds: inTenths(-fastestSeconds) } }
}

/** Percent of deviation, as on the calibration page; a failure ends slightly below. */
const DEVIATION: Threshold = { failsAbove: 7, recoversBelow: 6, minVehicles: 30 }

/** Evaluates the deviation of a lane from a measured reference; without one there is no result. */
export function evaluateDeviation(
  { vehicles, deviationPercent }: { vehicles: number; deviationPercent: number | null },
  wasFailing: boolean,
): CheckResult<{ vehicles: number; deviationPercent: number | null }> {
  const evidence = { vehicles, deviationPercent }
  if (deviationPercent === null || vehicles < DEVIATION.minVehicles) return { state: 'unknown', evidence }
  const size = Math.abs(deviationPercent)
  if (size > DEVIATION.failsAbove) return { state: 'bad', evidence }
  return { state: wasFailing && size >= DEVIATION.recoversBelow ? 'bad' : 'well', evidence }
}

/**
 * What needs attention, but is no failure: less than this share of the vehicles of a day has an image or a plate, and a clock
 * that is further ahead, or a fastest delivery that is later, in seconds.
 */
export const ATTENTION = { imagesPercent: 95, platesPercent: 90, aheadSeconds: 2, behindSeconds: 30 }

/** Whether a clock needs attention. Positive: ahead. */
export const isClockOff = (clockSeconds: number): boolean =>
  clockSeconds > ATTENTION.aheadSeconds || clockSeconds < -ATTENTION.behindSeconds

/** Sums of vehicles of some time; `imagesDue`: of those whose images should have arrived. */
export type Quality = { vehicles: number; unread: number; imagesDue: number; withoutImages: number }

/** Percent of vehicles that have an image and a plate, with one decimal; null if there were too few. */
export function qualityPercents({ vehicles, unread, imagesDue, withoutImages }: Quality) {
  const percent = (faulty: number, all: number, min: number) =>
    all < min ? null : Math.round((1_000 * (all - faulty)) / all) / 10
  return {
    imagesPercent: percent(withoutImages, imagesDue, MISSING_IMAGES.minVehicles),
    platesPercent: percent(unread, vehicles, UNREADABLE_PLATES.minVehicles),
  }
}

type QualityHour = Quality & { /** From detection to arrival. */ fastestSeconds: number | null }

/** Whether the measurements of the hours of a day need attention. */
export function needsAttention(
  hours: readonly QualityHour[],
  { hasImages, hasPlates }: { hasImages: boolean; hasPlates: boolean },
): boolean {
  const sum = (of: (hour: QualityHour) => number) => hours.reduce((total, hour) => total + of(hour), 0)
  const { imagesPercent, platesPercent } = qualityPercents({
    vehicles: sum(({ vehicles }) => vehicles),
    unread: sum(({ unread }) => unread),
    imagesDue: sum(({ imagesDue }) => imagesDue),
    withoutImages: sum(({ withoutImages }) => withoutImages),
  })
  return (
    (hasImages && imagesPercent !== null && imagesPercent < ATTENTION.imagesPercent) ||
    (hasPlates && platesPercent !== null && platesPercent < ATTENTION.platesPercent) ||
    hours.some(
      ({ vehicles, fastestSeconds }) =>
        fastestSeconds !== null && vehicles >= CLOCK.minVehicles && isClockOff(-fastestSeconds),
    )
  )
}
