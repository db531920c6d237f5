import type { Location } from '@rogatka/contract/locations.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { isHeavy, type Kind, kinds, layouts } from './kinds.ts'
import { type Random, trafficRandom } from './random.ts'
import { dayOf, hourOf, instantOf, weekdayOf } from './warsaw.ts'

/** Vehicles per hour of the day, 0 to 23, of 92,441 in total (docs/domain.md). */
const HOURLY = [
  652, 391, 244, 316, 696, 2672, 6791, 6108, 5194, 4742, 4860, 4997, 4890, 5194, 5403, 5792, 6060, 5635, 5051, 4855,
  4125, 3294, 2470, 1999,
]
const HOURLY_SUM = HOURLY.reduce((sum, count) => sum + count, 0)

/** Share of heavy vehicles on a working day; over the 6 % of docs/domain.md, as weighing stations are on lorry routes. */
export const HEAVY_SHARE = 0.34

/** Share of heavy traffic that is spread evenly over the day; lorries also drive at night. */
const HEAVY_EVEN = 0.55

/** Factors of the volume at the weekend, by day of the week. */
const WEEKEND: Record<number, { light: number; heavy: number }> = {
  0: { light: 0.88, heavy: 0.4 },
  6: { light: 0.95, heavy: 0.65 },
}

/** Minimum of vehicles per hour and station, so that a demonstration shows traffic at any time. */
const MIN_PER_HOUR = 32

/** Vehicles per working day, by road class. */
export const volumeOf = ({ roadNumber }: Pick<Location, 'roadNumber'>): number =>
  /^[AS]/i.test(roadNumber) ? 5_500 : 3_000

/** Light and heavy vehicles per hour, at a local hour of a Warsaw day. */
export const rateOf = (volume: number, day: number, hour: number): { light: number; heavy: number } => {
  const profile = (HOURLY[Math.floor(hour)] ?? 0) / HOURLY_SUM
  const { light: lighter, heavy: heavier } = WEEKEND[weekdayOf(day)] ?? { light: 1, heavy: 1 }
  const light = volume * (1 - HEAVY_SHARE) * lighter * profile
  const heavy = volume * HEAVY_SHARE * heavier * (HEAVY_EVEN / 24 + (1 - HEAVY_EVEN) * profile)
  const scale = Math.max(1, MIN_PER_HOUR / (light + heavy))
  return { light: light * scale, heavy: heavy * scale }
}

/** Relative frequencies of light kinds (docs/domain.md). */
const LIGHT: readonly (readonly [Kind, number])[] = [
  ['car', 79],
  ['van', 12],
  ['motorcycle', 1.6],
  ['van-trailer', 0.7],
  ['car-trailer', 0.6],
]

/** Relative frequencies of heavy kinds: lorries by their layouts, buses as in docs/domain.md. */
const HEAVY: readonly (readonly [Kind, number])[] = [
  ...kinds
    .filter((kind) => isHeavy(kind) && kind !== 'bus')
    .map((kind) => [kind, layouts[kind].reduce((sum, [, weight]) => sum + weight, 0)] as const),
  ['bus', 6],
]

/**
 * Headways as multiples of their mean: lognormal, with a median of 0.63 of the mean: 2.2 s of 3.5 s (docs/domain.md).
 */
const VARIANCE = 2 * Math.log(3.5 / 2.2)
const headway = (random: Random): number => Math.exp(random.normal(-VARIANCE / 2, Math.sqrt(VARIANCE)))

/** Minimum headway in a lane. */
const MIN_HEADWAY_S = 0.9

/** Lanes are numbered from the right; heavy traffic keeps right. */
const laneWeight = (heavy: boolean, index: number): number =>
  (heavy ? [0.78, 0.18, 0.03, 0.01] : [0.46, 0.36, 0.13, 0.05])[index] ?? 0.01

export type Arrival = {
  /** Unix time in ms, strictly increasing. */
  at: number
  kind: Kind
  laneNumber: number
}

/**
 * All arrivals of a station on a Warsaw day, in order of time. They depend only on station and day, so that a repeated
 * backfill sends duplicates.
 */
export const arrivalsOf = (station: Pick<Location, 'id' | 'roadNumber' | 'lanes'>, day: number): Arrival[] => {
  const random = trafficRandom(`arrivals:${station.id}:${day}`)
  const volume = volumeOf(station)
  const lanes = station.lanes.map(({ laneNumber }) => laneNumber).sort((a, b) => a - b)
  const end = instantOf(day + 1, 0)
  const lastInLane = new Map<number, number>()
  const arrivals: Arrival[] = []

  // Headways are in units of the mean headway, which varies by hour; `left` is the rest of the current one.
  let left = headway(random)
  for (let hourStart = instantOf(day, 0); hourStart < end; hourStart += HOUR_MS) {
    const { light, heavy } = rateOf(volume, day, hourOf(new Date(hourStart)))
    const perMs = (light + heavy) / HOUR_MS
    let at = hourStart
    while (left <= (hourStart + HOUR_MS - at) * perMs) {
      at += left / perMs
      left = headway(random)
      const big = random.next() * (light + heavy) < heavy
      const kind = random.weighted(big ? HEAVY : LIGHT)
      const free = lanes.filter((lane) => at - (lastInLane.get(lane) ?? 0) >= MIN_HEADWAY_S * 1000)
      const laneNumber = random.weighted(
        (free.length > 0 ? free : lanes).map((lane) => [lane, laneWeight(big, lanes.indexOf(lane))] as const),
      )
      const instant = Math.max(Math.round(at), (arrivals.at(-1)?.at ?? 0) + 1)
      if (instant >= end) break
      lastInLane.set(laneNumber, instant)
      arrivals.push({ at: instant, kind, laneNumber })
    }
    left -= (hourStart + HOUR_MS - at) * perMs
  }
  return arrivals
}

/** Warsaw days from that of `from` to that of `to`, inclusive, newest first. */
export const daysBack = (from: Date, to: Date): number[] => {
  const [first, last] = [dayOf(from), dayOf(to)]
  return Array.from({ length: last - first + 1 }, (_, i) => last - i)
}
