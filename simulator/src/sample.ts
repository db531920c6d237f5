import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import type { Location } from '@rogatka/contract/locations.ts'
import { type SimulatedStation, speedOf } from './detection.ts'
import type { Kind } from './kinds.ts'
import { axleLoadsOf } from './loads.ts'
import { measure } from './measure.ts'
import { trafficRandom } from './random.ts'
import { loadsOf, vehicleOf } from './vehicle.ts'

const lanes: Location['lanes'] = [1, 2].map((laneNumber) => ({ laneNumber, accuracyClass: { name: 'B+(7)' } }))

/** A sample station for tests and single measurements: an expressway with two lanes with scales. */
export const sampleStation: SimulatedStation = {
  location: {
    id: 1,
    shortName: 'S8 Wyszków',
    name: 'S8 Wyszków',
    roadNumber: 'S8',
    chainage: '512+300',
    direction: 'Białystok',
    lanes,
    latitude: null,
    longitude: null,
    silentAfterMinutes: 30,
    chainageAscends: null,
    lastVehicleTime: null,
    closedAt: null,
    distanceToSign: 1_500,
    distanceToCheckpoint: 6_000,
  },
  speedLimit: 120,
  speedLimitHeavy: 80,
  calibratedAt: [],
}

type SampleOptions = {
  /** Selects the vehicle. */
  seed?: string
  site?: SimulatedStation
  at?: Date
  sequence?: number
  laneNumber?: number
  /** True gross weight, in kg; absent: random, by layout. */
  gross?: number
  overlane?: boolean
  wrongDirection?: boolean
}

/** A valid measurement of a vehicle of this kind; equal options give equal measurements. */
export const measurementOf = (kind: Kind, options: SampleOptions = {}): WireMeasurement => {
  const { seed = 'sample', site = sampleStation, at = new Date(), sequence = 1, laneNumber = 1, gross } = options
  const random = trafficRandom(`sample:${kind}:${seed}`)
  const vehicle = vehicleOf(kind, seed)
  const axleLoads = gross === undefined ? loadsOf(vehicle, random) : axleLoadsOf(vehicle.form.layout, gross, random)
  const { overlane = false, wrongDirection = false } = options
  const speed = speedOf(kind, site, random)
  return measure({ sequence, at, laneNumber, vehicle, axleLoads, speed, overlane, wrongDirection }, site)
}
