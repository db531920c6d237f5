import type { Location } from '@rogatka/contract/locations.ts'
import { isHeavy, type Kind, kinds, layouts } from './kinds.ts'
import { type Random, trafficRandom } from './random.ts'
import { dayOf, hourOf, instantOf, weekdayOf } from './warsaw.ts'

/** Vehicles by hour of the day, 0 to 23, of a day of 92,441 (docs/domain.md). */
const HOURLY = [
  652, 391, 244, 316, 696, 2672, 6791, 6108, 5194, 4742, 4860, 4997, 4890, 5194, 5403, 5792, 6060, 5635, 5051, 4855,
  4125, 3294, 2470, 1999,
]
const HOURLY_SUM = HOURLY.reduce((sum, count) => sum + count, 0)

/** Part of a working day's traffic that is heavy. docs/domain.md has 6 %; weighing stations stand where lorries go. */
export const HEAVY_SHARE = 0.34

/** Lorries drive through the night: so much of their day is spread evenly. */
const HEAVY_EVEN = 0.55

/** Fewer of both at the weekend, far fewer lorries on Sunday. */
const WEEKEND: Record<number, { light: number; heavy: number }> = {
  0: { light: 0.88, heavy: 0.4 },
  6: { light: 0.95, heavy: 0.65 },
}

/** A demonstration should never look dead: the quietest hour still has so many vehicles at a station. */
const MIN_PER_HOUR = 32

/** Vehicles on a working day: an expressway or motorway carries more than a national road. */
export const volumeOf = ({ roadNumber }: Pick<Location, 'roadNumber'>): number =>
  /^[AS]/i.test(roadNumber) ? 5_500 : 3_000

/** Vehicles per hour, light and heavy, at a local hour of a Warsaw day. */
export const rateOf = (volume: number, day: number, hour: number): { light: number; heavy: number } => {
  const profile = (HOURLY[Math.floor(hour)] ?? 0) / HOURLY_SUM
  const { light: lighter, heavy: heavier } = WEEKEND[weekdayOf(day)] ?? { light: 1, heavy: 1 }
  const light = volume * (1 - HEAVY_SHARE) * lighter * profile
  const heavy = volume * HEAVY_SHARE * heavier * (HEAVY_EVEN / 24 + (1 - HEAVY_EVEN) * profile)
  const scale = Math.max(1, MIN_PER_HOUR / (light + heavy))
  return { light: light * scale, heavy: heavy * scale }
}

/** Shares of light kinds (docs/domain.md). */
const LIGHT: readonly (readonly [Kind, number])[] = [
  ['car', 79],
  ['van', 12],
  ['motorcycle', 1.6],
  ['van-trailer', 0.7],
  ['car-trailer', 0.6],
]

/** Shares of heavy kinds: lorries by the weights of their layouts, buses as docs/domain.md has them among the heavy. */
const HEAVY: readonly (readonly [Kind, number])[] = [
  ...kinds
    .filter((kind) => isHeavy(kind) && kind !== 'bus')
    .map((kind) => [kind, layouts[kind].reduce((sum, [, weight]) => sum + weight, 0)] as const),
  ['bus', 6],
]

/**
 * Headways as multiples of their mean: lognormal, so that the median is 0.63 of the mean, as 2.2 s is of 3.5 s
 * (docs/domain.md).
 */
const VARIANCE = 2 * Math.log(3.5 / 2.2)
const headway = (random: Random): number => Math.exp(random.normal(-VARIANCE / 2, Math.sqrt(VARIANCE)))

/** Seconds that two vehicles of one lane keep between them at the least. */
const CLOSEST = 0.9

/** Lanes are numbered from the right: heavy traffic keeps there. */
const laneWeight = (heavy: boolean, place: number): number =>
  (heavy ? [0.78, 0.18, 0.03, 0.01] : [0.46, 0.36, 0.13, 0.05])[place] ?? 0.01

export type Arrival = {
  /** Milliseconds of the epoch, rising, no two alike. */
  at: number
  kind: Kind
  laneNumber: number
}

/**
 * All arrivals of a station on one Warsaw day, in order. A function of the station and the day alone: whoever asks again
 * hears the same, so history that is sent twice is the same history.
 */
export const arrivalsOf = (station: Pick<Location, 'id' | 'roadNumber' | 'lanes'>, day: number): Arrival[] => {
  const random = trafficRandom(`arrivals:${station.id}:${day}`)
  const volume = volumeOf(station)
  const lanes = station.lanes.map(({ laneNumber }) => laneNumber).sort((a, b) => a - b)
  const end = instantOf(day + 1, 0)
  const lastInLane = new Map<number, number>()
  const arrivals: Arrival[] = []

  // Headways pass in a time that runs as fast as the traffic is dense; `left` is what remains of the current one.
  let left = headway(random)
  for (let hourStart = instantOf(day, 0); hourStart < end; hourStart += 3_600_000) {
    const { light, heavy } = rateOf(volume, day, hourOf(new Date(hourStart)))
    const perMs = (light + heavy) / 3_600_000
    let at = hourStart
    while (left <= (hourStart + 3_600_000 - at) * perMs) {
      at += left / perMs
      left = headway(random)
      const big = random.next() * (light + heavy) < heavy
      const kind = random.weighted(big ? HEAVY : LIGHT)
      const free = lanes.filter((lane) => at - (lastInLane.get(lane) ?? 0) >= CLOSEST * 1000)
      const laneNumber = random.weighted(
        (free.length > 0 ? free : lanes).map((lane) => [lane, laneWeight(big, lanes.indexOf(lane))] as const),
      )
      const instant = Math.max(Math.round(at), (arrivals.at(-1)?.at ?? 0) + 1)
      if (instant >= end) break
      lastInLane.set(laneNumber, instant)
      arrivals.push({ at: instant, kind, laneNumber })
    }
    left -= (hourStart + 3_600_000 - at) * perMs
  }
  return arrivals
}

/** The Warsaw days from the one of `from` to the one of `to`, newest first. */
export const daysBack = (from: Date, to: Date): number[] => {
  const [first, last] = [dayOf(from), dayOf(to)]
  return Array.from({ length: last - first + 1 }, (_, i) => last - i)
}
