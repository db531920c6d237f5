import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { vehicleLocation } from './vehicle.ts'
import { instant } from './wire.ts'

/** COST 323 accuracy classes, best first. */
export const accuracyClasses = ['A(5)', 'B+(7)', 'B(10)', 'C(15)', 'D+(20)', 'D(25)'] as const
export type AccuracyClass = (typeof accuracyClasses)[number]

export const lane = z.object({
  laneNumber: z.int(),
  /** Null: the lane has no scale. */
  accuracyClass: z.object({ name: z.enum(accuracyClasses) }).nullable(),
})

export const location = vehicleLocation.extend({
  lanes: z.array(lane),
  lastVehicleTime: instant.nullable(),
  /** Metres from the scale to the sign and to the checkpoint; null without one. */
  distanceToSign: z.int().nullable(),
  distanceToCheckpoint: z.int().nullable(),
  /** Whether the chainage grows in the direction of travel; null: not known. */
  chainageAscends: z.boolean().nullable(),
  /** Degrees north and east (WGS 84), both or neither; null: not on the map. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** Minutes without data after which the station counts as silent: its own limit, else 30. */
  silentAfterMinutes: z.int(),
  /** Since when the station sends no more; null while it is open. */
  closedAt: instant.nullable(),
})
export type Location = z.output<typeof location>
export type WireLocation = z.input<typeof location>

/** Minutes without data after which a location is unavailable. */
export const UNAVAILABLE_AFTER_MINUTES = 30

export const list = endpoint({
  method: 'GET',
  path: '/locations',
  access: 'session',
  device: true,
  system: true,
  summary: 'Lists stations, by descending id',
  response: z.array(location),
})
