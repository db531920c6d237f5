import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { apiErrors } from './errors.ts'
import { euro, imageTypes } from './vehicle.ts'
import { instant, pageQuery, queryInt } from './wire.ts'

/** Maximum number of axles; more is a measurement error. */
const MAX_AXLES = 24
export const MAX_VEHICLES = 1000
export const MAX_BATCH_BYTES = 8 * 1024 * 1024
export const MAX_IMAGE_BYTES = 2 * 1024 * 1024
export const MAX_CLOCK_AHEAD_MINUTES = 5
/** A vehicle id has 40 bits for the sequence. */
export const MAX_SEQUENCE = 2 ** 40 - 1

const kg = z.int().min(0).max(60_000)

const measuredAxle = z.object({
  type: z.int().min(0).max(99).nullish(),
  leftWeight: kg.nullish(),
  rightWeight: kg.nullish(),
  /** cm to the previous axle, 0 for the first */
  gap: z.int().min(0).max(3_000).nullish(),
})

/** Measurement of one vehicle. Loads in kg, lengths in cm, speed in km/h. */
export const measurement = z.object({
  sequence: z.int().min(1).max(MAX_SEQUENCE),
  createdAt: instant,
  laneNumber: z.int().min(1).max(99),
  plateLpr: z.string().trim().max(20).nullish(),
  nationality: z
    .string()
    .trim()
    .regex(/^[A-Z]{1,3}$/)
    .nullish(),
  speed: z.int().min(0).max(400).nullish(),
  vehLength: z.int().min(0).max(10_000).nullish(),
  vehHeight: z.int().min(0).max(2_000).nullish(),
  ctg8p1: z.int().min(0).max(11).nullish(),
  ctg323: z.int().min(0).max(8).nullish(),
  wrongDirection: z.boolean().nullish(),
  overlane: z.boolean().nullish(),
  axles: z.array(measuredAxle).max(MAX_AXLES).nullish(),
  /** Height profile, cm, front to rear. */
  shapeSamples: z.array(z.int().min(0).max(2_000)).max(1_000).nullish(),
  euro: euro.nullish(),
})
export type Measurement = z.output<typeof measurement>
export type WireMeasurement = z.input<typeof measurement>

export const post = endpoint({
  method: 'POST',
  path: '/measurements',
  access: 'station',
  summary:
    'Stores up to 1,000 vehicles of one station, as a JSON array or NDJSON; retransmissions are acknowledged and ignored',
  raw: 'measurements',
  response: z.object({
    accepted: z.int(),
    duplicates: z.int(),
    rejected: z.array(z.object({ index: z.int(), errors: apiErrors })),
  }),
})

export const putImage = endpoint({
  method: 'PUT',
  path: '/measurements/:sequence/images/:type',
  access: 'station',
  summary: 'Stores an image of a vehicle (JPEG), before or after the vehicle; idempotent',
  params: z.object({ sequence: queryInt.pipe(z.int().min(1).max(MAX_SEQUENCE)), type: z.enum(imageTypes) }),
  query: z.object({ createdAt: instant }),
  raw: 'image/jpeg',
})

export const quarantined = z.object({
  id: z.int(),
  locationId: z.int(),
  receivedAt: instant,
  measurement: z.unknown(),
  errors: apiErrors,
})

export const quarantine = endpoint({
  method: 'GET',
  path: '/quarantine',
  access: 'UsersAdmin',
  summary: 'Lists rejected vehicles of the last 30 days with their validation errors, newest first',
  query: pageQuery,
  response: z.object({ content: z.array(quarantined), totalCount: z.int() }),
  looks: 'each',
  shows: 'quarantine',
})

/** Vehicle id: unique over all stations, a safe integer (53 bits). */
export const vehicleId = (locationId: number, sequence: number): number => locationId * 2 ** 40 + sequence

/** The station in a vehicle id. */
export const locationOf = (vehicleId: number): number => Math.floor(vehicleId / 2 ** 40)
