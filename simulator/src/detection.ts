import type { Location } from '@rogatka/contract/locations.ts'
import { isSlow, type Kind } from './kinds.ts'
import type { Nationality } from './plates.ts'
import { type Random, trafficRandom } from './random.ts'
import { type Arrival, arrivalsOf } from './traffic.ts'
import { loadsOf, randomVehicle, type Vehicle, vehicleOf } from './vehicle.ts'
import { dayOf, instantOf } from './warsaw.ts'

/** A vehicle with a known plate that replaces on average every `every`-th vehicle of its kind. */
export type RecurringVehicle = { plate: string; nationality: Nationality; kind: Kind; every: number }

/** A simulated station. Speed limits in km/h; null: the default. */
export type SimulatedStation = {
  location: Location
  /** Recurring vehicles with known plates; absent: none. */
  recurring?: readonly RecurringVehicle[]
  speedLimit: number | null
  speedLimitHeavy: number | null
  /** Times of calibrations of its scales. */
  calibratedAt: readonly Date[]
  /** Share of the usual traffic, 0 to 1; absent: all. */
  traffic?: number
}

/** The true values of a vehicle over the sensors, before measurement errors. */
export type Detection = {
  /** Sequence number of the station. */
  sequence: number
  at: Date
  laneNumber: number
  vehicle: Vehicle
  /** In kg, front to rear. */
  axleLoads: number[]
  /** In km/h. */
  speed: number
  overlane: boolean
  wrongDirection: boolean
}

/** Shares of vehicles astride two lanes and against the traffic. */
const OVERLANE = 0.005
const WRONG_DIRECTION = 0.0003

/**
 * Random speed by kind and limit, in km/h. Free flow of lorries would be 85 ± 4 (docs/domain.md), above their limit of 80;
 * at enforcement stations most drivers stay slightly below the limit and few exceed it.
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

/** Sequence numbers reserved per day, more than a day's vehicles, so that they do not depend on the time of sending. */
const SEQUENCES_PER_DAY = 20_000
/** 2025-01-01, the first day of sequence numbers. */
const FIRST_DAY = 20_089

/** Sequence number of the vehicle with this index (from 0) on a Warsaw day. */
export const sequenceOf = (day: number, index: number): number => (day - FIRST_DAY) * SEQUENCES_PER_DAY + index + 1

/** The recurring vehicle that replaces a random one; undefined: none. */
const recurringVehicleOf = ({ recurring = [] }: SimulatedStation, kind: Kind, seed: string): Vehicle | undefined => {
  const random = trafficRandom(`regular:${seed}`)
  const found = recurring.find((vehicle) => vehicle.kind === kind && random.happens(1 / vehicle.every))
  return found && { ...vehicleOf(kind, `known:${found.plate}`), plate: found.plate, nationality: found.nationality }
}

/** The vehicle of an arrival, with its loads and speed. */
const detectionOf = (site: SimulatedStation, arrival: Arrival, sequence: number): Detection => {
  const seed = `${site.location.id}:${sequence}`
  const random = trafficRandom(`passage:${seed}`)
  const defaultVehicle = randomVehicle(arrival.kind, seed, random)
  const vehicle = recurringVehicleOf(site, arrival.kind, seed) ?? defaultVehicle
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

/** Whether this vehicle is part of the traffic; the same vehicles at each start, so that a larger share only adds some. */
const isPassing = ({ location, traffic = 1 }: SimulatedStation, sequence: number): boolean =>
  traffic === 1 || trafficRandom(`share:${location.id}:${sequence}`).next() < traffic

/** Generates the detections of a Warsaw day in [from, to), in order of time. */
export function* detectionsOf(site: SimulatedStation, day: number, from: Date, to: Date): Generator<Detection> {
  for (const [index, arrival] of arrivalsOf(site.location, day).entries()) {
    if (arrival.at >= to.getTime()) return
    const sequence = sequenceOf(day, index)
    if (arrival.at >= from.getTime() && isPassing(site, sequence)) yield detectionOf(site, arrival, sequence)
  }
}

/** The detection with a sequence number; undefined if the station never sent it. */
export const detectionBySequence = (site: SimulatedStation, sequence: number): Detection | undefined => {
  const day = FIRST_DAY + Math.floor((sequence - 1) / SEQUENCES_PER_DAY)
  const arrival = arrivalsOf(site.location, day)[(sequence - 1) % SEQUENCES_PER_DAY]
  return arrival && isPassing(site, sequence) ? detectionOf(site, arrival, sequence) : undefined
}

/** Generates detections in [from, to), in order of time, over any number of days; without `to` endless. */
export function* detectionsBetween(site: SimulatedStation, from: Date, to?: Date): Generator<Detection> {
  for (let day = dayOf(from); ; day++) {
    const midnight = new Date(instantOf(day + 1, 0))
    if (to && to <= midnight) return yield* detectionsOf(site, day, from, to)
    yield* detectionsOf(site, day, from, midnight)
  }
}
