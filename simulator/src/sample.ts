import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import type { Location } from '@rogatka/contract/locations.ts'
import { type SimulatedStation, speedOf } from './detection.ts'
import type { Kind } from './kinds.ts'
import { axleLoadsOf } from './loads.ts'
import { measured } from './measure.ts'
import { trafficRandom } from './random.ts'
import { loadsOf, vehicleOf } from './vehicle.ts'

const lanes: Location['lanes'] = [1, 2].map((laneNumber) => ({ laneNumber, accuracyClass: { name: 'B+(7)' } }))

/** A station for whoever has none: an expressway with two weighed lanes. */
export const sampleStation: SimulatedStation = {
  location: {
    id: 1,
    shortName: 'S8 Wyszków',
    name: 'S8 Wyszków',
    roadNumber: 'S8',
    chainage: '512+300',
    direction: 'Białystok',
    lanes,
    lastVehicleTime: null,
    distanceToSign: 1_500,
    distanceToCheckpoint: 6_000,
  },
  speedLimit: 120,
  speedLimitHeavy: 80,
  calibratedAt: [],
}

type SampleOptions = {
  /** Another seed, another vehicle. */
  seed?: string
  site?: SimulatedStation
  at?: Date
  sequence?: number
  laneNumber?: number
  /** True gross weight, kg; left out: what such vehicles weigh. */
  gross?: number
  overlane?: boolean
  wrongDirection?: boolean
}

/** A valid measurement of a vehicle of a kind, as a station would send it; the same options, the same measurement. */
export const measurementOf = (kind: Kind, options: SampleOptions = {}): WireMeasurement => {
  const { seed = 'sample', site = sampleStation, at = new Date(), sequence = 1, laneNumber = 1, gross } = options
  const random = trafficRandom(`sample:${kind}:${seed}`)
  const vehicle = vehicleOf(kind, seed)
  const axleLoads = gross === undefined ? loadsOf(vehicle, random) : axleLoadsOf(vehicle.form.layout, gross, random)
  const { overlane = false, wrongDirection = false } = options
  const speed = speedOf(kind, site, random)
  return measured({ sequence, at, laneNumber, vehicle, axleLoads, speed, overlane, wrongDirection }, site)
}
