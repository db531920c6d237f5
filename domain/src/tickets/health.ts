import { toWarsaw } from '../core/warsaw.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Vehicles an hour by slot: the 24 hours of working days, then those of Saturdays and Sundays; null where none is known. */
type TypicalTraffic = readonly (number | null)[]
export const SLOTS = 48

/** The slot of an instant by the clock of Warsaw. */
export function slotAt(at: number): number {
  const date = new Date(toWarsaw(at))
  const isWeekend = [0, 6].includes(date.getUTCDay())
  return (isWeekend ? 24 : 0) + date.getUTCHours()
}

/** How many vehicles usually pass between two instants; where nothing is known of a kind of day, the other speaks for it. */
export function expectedVehicles(usual: TypicalTraffic, from: Date, to: Date): number {
  let expected = 0
  // The clock changes on the full hour, so an hour lies in one slot.
  for (let at = from.getTime(); at < to.getTime(); ) {
    const end = Math.min(to.getTime(), Math.floor(at / HOUR) * HOUR + HOUR)
    const slot = slotAt(at)
    const perHour = usual[slot] ?? usual[(slot + 24) % SLOTS] ?? 0
    expected += (perHour * (end - at)) / HOUR
    at = end
  }
  return expected
}

/** A lane, or a whole station, is silent when nothing came for so long, in which usually so many come. */
const SILENT_MINUTES = 10
const SILENT_VEHICLES = 10
/** A silence is over when so large a part of what is usual has come in the last minutes. */
const RECOVERY = { minutes: 10, part: 1 / 4 }
const MAX_LOOKBACK_MS = DAY
/** A station may be built for so long before it sends its first vehicle. */
const FIRST_VEHICLE_MS = DAY

type Flow = {
  lastVehicleTime: Date | null
  /** Vehicles of the last 10 minutes. */
  recent: number
  usual: TypicalTraffic
  /** Of a whole station: when it was added. */
  addedAt?: Date
}
type CheckResult<E> = { state: 'well' | 'bad' | 'unknown'; evidence: E }

/** Whether nothing comes where much should. `wasBad` makes the first vehicle after a silence no end of it yet. */
export function evaluateSilence(
  { lastVehicleTime, recent, usual, addedAt }: Flow,
  wasBad: boolean,
  now: Date,
): CheckResult<{ lastVehicleTime: Date | null; silentMinutes: number | null; expectedVehicles: number | null }> {
  if (lastVehicleTime === null && addedAt && now.getTime() - addedAt.getTime() >= FIRST_VEHICLE_MS) {
    const silentMinutes = Math.floor((now.getTime() - addedAt.getTime()) / MINUTE)
    return { state: 'bad', evidence: { lastVehicleTime, silentMinutes, expectedVehicles: null } }
  }
  if (lastVehicleTime === null || usual.every((one) => one === null)) {
    // The first vehicles end the failure of a station that had sent none; what is usual there is not known yet.
    if (wasBad && recent > 0)
      return { state: 'well', evidence: { lastVehicleTime, silentMinutes: null, expectedVehicles: null } }
    return { state: 'unknown', evidence: { lastVehicleTime, silentMinutes: null, expectedVehicles: null } }
  }
  const silentMs = Math.max(0, now.getTime() - lastVehicleTime.getTime())
  const from = new Date(Math.max(lastVehicleTime.getTime(), now.getTime() - MAX_LOOKBACK_MS))
  const expected = expectedVehicles(usual, from, now)
  const evidence = {
    lastVehicleTime,
    silentMinutes: Math.floor(silentMs / MINUTE),
    expectedVehicles: Math.round(expected * 10) / 10,
  }
  if (silentMs >= SILENT_MINUTES * MINUTE && expected >= SILENT_VEHICLES) return { state: 'bad', evidence }
  const lately = expectedVehicles(usual, new Date(now.getTime() - RECOVERY.minutes * MINUTE), now)
  const hasRecovered = recent >= Math.max(1, lately * RECOVERY.part)
  return { state: wasBad && !hasRecovered ? 'bad' : 'well', evidence }
}

/** Percents at which a share becomes bad and below which it is well again, and of how many vehicles it is told. */
type Threshold = { bad: number; well: number; fewest: number }
export const MISSING_IMAGES: Threshold = { bad: 50, well: 25, fewest: 20 }
export const UNREADABLE_PLATES: Threshold = { bad: 40, well: 25, fewest: 50 }

/** A share of the vehicles that is as it should not be. */
export function evaluateShare(
  { of, vehicles }: { of: number; vehicles: number },
  { bad, well, fewest }: Threshold,
  wasBad: boolean,
): CheckResult<{ vehicles: number; sharePercent: number | null }> {
  if (vehicles < fewest) return { state: 'unknown', evidence: { vehicles, sharePercent: null } }
  const share = (100 * of) / vehicles
  const evidence = { vehicles, sharePercent: Math.round(share * 10) / 10 }
  if (share > bad) return { state: 'bad', evidence }
  return { state: wasBad && share >= well ? 'bad' : 'well', evidence }
}

/** Seconds: a station may be so far ahead; and even its fastest delivery may take so long. */
const CLOCK = { ahead: 30, behind: 120, fewest: 10 }

/**
 * The clock of a station by its fastest delivery: a vehicle that arrives before it passed tells of a clock that is ahead,
 * and when even the fastest is late, the clock is behind, or the line. Positive: ahead.
 */
export function evaluateClock({
  vehicles,
  fastestSeconds,
  rejectedAheadSeconds,
}: {
  vehicles: number
  /** From passage to arrival. */
  fastestSeconds: number | null
  /** Of vehicles that were so far ahead that they were rejected. */
  rejectedAheadSeconds: number | null
}): CheckResult<{ vehicles: number; clockSeconds: number | null }> {
  if (rejectedAheadSeconds !== null) {
    return { state: 'bad', evidence: { vehicles, clockSeconds: Math.round(rejectedAheadSeconds) } }
  }
  if (fastestSeconds === null || vehicles < CLOCK.fewest) {
    return { state: 'unknown', evidence: { vehicles, clockSeconds: null } }
  }
  const isBad = fastestSeconds <= -CLOCK.ahead || fastestSeconds >= CLOCK.behind
  return { state: isBad ? 'bad' : 'well', evidence: { vehicles, clockSeconds: Math.round(-fastestSeconds) || 0 } }
}

/** Percent from the reference, as on the calibration page; a lane is well again a little below. */
const DEVIATION = { bad: 7, well: 6, fewest: 30 }

/** The deviation of a lane from a reference that was measured; against the general value nothing is said. */
export function evaluateDeviation(
  { vehicles, deviationPercent }: { vehicles: number; deviationPercent: number | null },
  wasBad: boolean,
): CheckResult<{ vehicles: number; deviationPercent: number | null }> {
  const evidence = { vehicles, deviationPercent }
  if (deviationPercent === null || vehicles < DEVIATION.fewest) return { state: 'unknown', evidence }
  const size = Math.abs(deviationPercent)
  if (size > DEVIATION.bad) return { state: 'bad', evidence }
  return { state: wasBad && size >= DEVIATION.well ? 'bad' : 'well', evidence }
}
