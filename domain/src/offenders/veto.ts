import { HOUR_MS } from '../core/time.ts'

/** Where and when a vehicle was measured; ms since the epoch. */
export type Sighting = { locationId: number; at: number }

/** Distance between two stations in km; null if unknown. */
export type DistanceBetween = (from: number, to: number) => number | null

const MAX_SPEED_KMH = 150
const SAME_STATION_MS = 60_000

/** Whether both cannot be the same vehicle: over 150 km/h between them, or both at a station within 60 s. */
export function excludeEachOther(one: Sighting, other: Sighting, distanceBetween: DistanceBetween): boolean {
  const elapsed = Math.abs(one.at - other.at)
  if (one.locationId === other.locationId) return elapsed <= SAME_STATION_MS
  const distance = distanceBetween(one.locationId, other.locationId)
  return distance !== null && distance * HOUR_MS > MAX_SPEED_KMH * elapsed
}

/** Time between two detections, ms, from which on no veto is possible if stations are at most so many km apart. */
export const vetoWindow = (maxDistance: number): number =>
  Math.max(SAME_STATION_MS, (maxDistance * HOUR_MS) / MAX_SPEED_KMH)

/** Whether any detection of one spelling excludes any of the other. */
export const isVetoed = (
  some: readonly Sighting[],
  others: readonly Sighting[],
  distanceBetween: DistanceBetween,
): boolean => some.some((one) => others.some((other) => excludeEachOther(one, other, distanceBetween)))

/** Coincidences of a pair at most: that many of which none excludes the other are of one vehicle. */
const MAX_COINCIDENCES = 2_000

/**
 * The pairs of detections of two spellings that are at most `windowMs` apart, the latest first; at most 2,000. Both lists
 * in order of time.
 */
export function coincidences(
  some: readonly Sighting[],
  others: readonly Sighting[],
  windowMs: number,
): [Sighting, Sighting][] {
  const found: [Sighting, Sighting][] = []
  // Later ones are beyond the window of all that follow.
  let last = others.length - 1
  for (const one of some.toReversed()) {
    while ((others[last]?.at ?? one.at) > one.at + windowMs) last -= 1
    for (let index = last; index >= 0; index -= 1) {
      const other = others[index] as Sighting
      if (other.at < one.at - windowMs) break
      found.push([one, other])
      if (found.length === MAX_COINCIDENCES) return found
    }
  }
  return found
}
