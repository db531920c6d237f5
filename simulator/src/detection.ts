import type { Location } from '@rogatka/contract/locations.ts'
import { isSlow, type Kind } from './kinds.ts'
import type { Nationality } from './plates.ts'
import { type Random, trafficRandom } from './random.ts'
import { type Arrival, arrivalsOf } from './traffic.ts'
import { anyVehicle, loadsOf, type Vehicle, vehicleOf } from './vehicle.ts'
import { dayOf, instantOf } from './warsaw.ts'

/** A vehicle that comes by as every so many-th of its kind. */
export type RecurringVehicle = { plate: string; nationality: Nationality; kind: Kind; every: number }

/** What the simulator knows of a station: its location, the limits there, km/h, and when its scales were calibrated. */
export type SimulatedStation = {
  location: Location
  /** Vehicles that are known by their plates; absent: none. */
  regulars?: readonly RecurringVehicle[]
  speedLimit: number | null
  speedLimitHeavy: number | null
  calibratedAt: readonly Date[]
}

/** One vehicle over the sensors, as it really was. */
export type Detection = {
  /** The station's number of it. */
  sequence: number
  at: Date
  laneNumber: number
  vehicle: Vehicle
  /** kg, front to rear */
  axleLoads: number[]
  /** km/h */
  speed: number
  overlane: boolean
  wrongDirection: boolean
}

/** What is rare: astride two lanes, against the traffic. */
const OVERLANE = 0.005
const WRONG_DIRECTION = 0.0003

/**
 * Speed by class and limit, km/h. Free flow would be 85 ± 4 for lorries (docs/domain.md), over the 80 that bind them here;
 * where stations enforce, most drivers keep a little under the limit, some over it and a few far over.
 */
export const speedOf = (
  kind: Kind,
  site: Pick<SimulatedStation, 'speedLimit' | 'speedLimitHeavy'>,
  random: Random,
): number => {
  if (isSlow(kind)) {
    const limit = site.speedLimitHeavy ?? 80
    const speed = random.happens(0.03) ? random.normal(limit + 8, 4) : random.normal(limit - 4.5, 3.2)
    return Math.round(Math.max(20, speed))
  }
  const limit = site.speedLimit ?? 90
  const speed = random.happens(0.02) ? random.normal(limit + 24, 9) : random.normal(limit - 11, 8.5)
  return Math.round(Math.max(25, speed))
}

/** Each day has its block of numbers, far larger than a day's traffic, so that a number never depends on when it is sent. */
const NUMBERS_A_DAY = 20_000
/** 2025-01-01: where numbering starts. */
const FIRST_DAY = 20_089

/** The station's number of the n-th vehicle (from 0) of a Warsaw day. */
export const sequenceOf = (day: number, index: number): number => (day - FIRST_DAY) * NUMBERS_A_DAY + index + 1

/** The regular that comes in place of somebody else, or nobody. */
const recurringVehicleOf = ({ regulars = [] }: SimulatedStation, kind: Kind, seed: string): Vehicle | undefined => {
  const random = trafficRandom(`regular:${seed}`)
  const known = regulars.find((regular) => regular.kind === kind && random.happens(1 / regular.every))
  return known && { ...vehicleOf(kind, `known:${known.plate}`), plate: known.plate, nationality: known.nationality }
}

/** Who comes with an arrival, and how. */
const detectionOf = (site: SimulatedStation, arrival: Arrival, sequence: number): Detection => {
  const seed = `${site.location.id}:${sequence}`
  const random = trafficRandom(`passage:${seed}`)
  const anybody = anyVehicle(arrival.kind, seed, random)
  const vehicle = recurringVehicleOf(site, arrival.kind, seed) ?? anybody
  return {
    sequence,
    at: new Date(arrival.at),
    laneNumber: arrival.laneNumber,
    vehicle,
    axleLoads: loadsOf(vehicle, random),
    speed: speedOf(arrival.kind, site, random),
    overlane: site.location.lanes.length > 1 && random.happens(OVERLANE),
    wrongDirection: random.happens(WRONG_DIRECTION),
  }
}

/** The passages of a Warsaw day that fall into [from, to), in order; each is made only when it is asked for. */
export function* detectionsOf(site: SimulatedStation, day: number, from: Date, to: Date): Generator<Detection> {
  for (const [index, arrival] of arrivalsOf(site.location, day).entries()) {
    if (arrival.at >= to.getTime()) return
    if (arrival.at >= from.getTime()) yield detectionOf(site, arrival, sequenceOf(day, index))
  }
}

/** Passages in [from, to), in order, over any number of midnights; without `to`, for ever. */
export function* detectionsBetween(site: SimulatedStation, from: Date, to?: Date): Generator<Detection> {
  for (let day = dayOf(from); ; day++) {
    const midnight = new Date(instantOf(day + 1, 0))
    if (to && to <= midnight) return yield* detectionsOf(site, day, from, to)
    yield* detectionsOf(site, day, from, midnight)
  }
}
