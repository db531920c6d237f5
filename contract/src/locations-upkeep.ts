import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { accuracyClasses } from './locations.ts'
import { day, instant, queryId, requiredText } from './wire.ts'

/** Highest number of a station: a vehicle's id has 13 bits for it. */
export const MAX_STATION_ID = 8_191
export const MAX_LANES = 99
/** Metres. */
const MAX_DISTANCE = 100_000
/** km/h. */
const MAX_SPEED_LIMIT = 250
const MAX_SILENCE_MINUTES = 1_440

const whole = (max: number) => z.int('invalid-number').min(1, 'value-too-small').max(max, 'value-too-large')
const degrees = (max: number) =>
  z.number('invalid-number').min(-max, 'value-too-small').max(max, 'value-too-large').nullable()

const values = z.object({
  shortName: requiredText(60),
  name: requiredText(200),
  roadNumber: requiredText(30),
  chainage: requiredText(30),
  direction: requiredText(100),
  /** km/h; null: no limit. */
  speedLimit: whole(MAX_SPEED_LIMIT).nullable(),
  speedLimitHeavy: whole(MAX_SPEED_LIMIT).nullable(),
  /** Metres from the scale to the sign and to the checkpoint; null without one. */
  distanceToSign: whole(MAX_DISTANCE).nullable(),
  distanceToCheckpoint: whole(MAX_DISTANCE).nullable(),
  /** Whether the chainage grows in the direction of travel; null: not known. */
  chainageAscends: z.boolean().nullable(),
  /** Degrees north and east (WGS 84), both or neither; null: not on the map. */
  latitude: degrees(90),
  longitude: degrees(180),
  /** Minutes without data after which it counts as silent; null: 30. */
  silentAfterMinutes: whole(MAX_SILENCE_MINUTES).nullable(),
  /** Whether overheight vehicles raise an alarm. */
  overheightAlarm: z.boolean(),
  /** Accuracy classes of the lanes, by number from 1; null: no scale. */
  lanes: z
    .array(z.enum(accuracyClasses, 'unknown-option').nullable())
    .min(1, 'required-parameter-missing')
    .max(MAX_LANES, 'list-too-long'),
})

const haveBothCoordinates = ({ latitude, longitude }: { latitude: number | null; longitude: number | null }) =>
  (latitude === null) === (longitude === null)
const together = { error: 'coordinates-incomplete', path: ['longitude'] }

/** What can be changed of a station. Commands check their options by it, too. */
export const stationValues = values.refine(haveBothCoordinates, together)
export type StationValues = z.output<typeof stationValues>

export const newStation = values.extend({ id: whole(MAX_STATION_ID) }).refine(haveBothCoordinates, together)
export type NewStation = z.output<typeof newStation>

export const station = values.extend({
  id: z.int(),
  /** Since when it sends no more; null while it is open. */
  closedAt: instant.nullable(),
  addedAt: instant,
  lastVehicleTime: instant.nullable(),
  /** Keys that are neither revoked nor past their last day. */
  validKeys: z.int(),
  /** Version for optimistic locking: must be sent with a change. */
  version: z.int(),
})
export type UpkeepStation = z.output<typeof station>
export type WireUpkeepStation = z.input<typeof station>

/** `ended`: its last day has passed. */
export const keyStates = ['active', 'ended', 'revoked'] as const
export type KeyState = (typeof keyStates)[number]

export const stationKey = z.object({
  id: z.int(),
  /** `by` is null for a key that a command created. */
  created: z.object({ at: instant, by: z.string().nullable() }),
  /** Last day on which it is valid, in Polish time; null: until it is revoked. */
  validUntil: z.string().nullable(),
  /** To the minute; null: never, or before this was recorded. */
  lastUsedAt: instant.nullable(),
  revoked: z.object({ at: instant, by: z.string().nullable(), reason: z.string().nullable() }).nullable(),
  state: z.enum(keyStates),
})
export type StationKey = z.output<typeof stationKey>
export type WireStationKey = z.input<typeof stationKey>

/** Why something ends. */
export const reasonText = requiredText(200)

const byId = z.object({ id: queryId })

export const stations = endpoint({
  method: 'GET',
  path: '/stations',
  access: 'UsersAdmin',
  summary: 'Lists stations by number with all that can be changed, closed ones included',
  response: z.array(station),
})

export const addStation = endpoint({
  method: 'POST',
  path: '/stations',
  access: 'UsersAdmin',
  summary: 'Adds a station, which has no key yet',
  body: newStation,
  response: station,
})

export const changeStation = endpoint({
  method: 'PUT',
  path: '/stations/:id',
  access: 'UsersAdmin',
  summary: 'Changes a station; the rules hold for vehicles that arrive after some seconds',
  params: byId,
  body: values.extend({ version: z.int().optional() }).refine(haveBothCoordinates, together),
  response: station,
})

export const closeStation = endpoint({
  method: 'POST',
  path: '/stations/:id/close',
  access: 'UsersAdmin',
  summary: 'Closes a station: its keys are refused, and nothing watches it; its vehicles stay',
  params: byId,
  body: z.object({ reason: reasonText }),
  response: station,
})

export const reopenStation = endpoint({
  method: 'POST',
  path: '/stations/:id/reopen',
  access: 'UsersAdmin',
  summary: 'Opens a closed station again, with its keys',
  params: byId,
  response: station,
})

export const stationKeys = endpoint({
  method: 'GET',
  path: '/stations/:id/keys',
  access: 'UsersAdmin',
  summary: 'Lists the keys of a station without their secrets, newest first',
  params: byId,
  response: z.array(stationKey),
})

export const addStationKey = endpoint({
  method: 'POST',
  path: '/stations/:id/keys',
  access: 'UsersAdmin',
  summary: 'Creates a key of a station and returns its secret, once; other keys stay valid',
  stepUp: 'recent',
  params: byId,
  body: z.object({ validUntil: day.nullish() }),
  response: z.object({ key: stationKey, secret: z.string() }),
})

export const revokeStationKey = endpoint({
  method: 'POST',
  path: '/stations/:id/keys/:keyId/revoke',
  access: 'UsersAdmin',
  summary: 'Revokes a key of a station for good',
  stepUp: 'recent',
  params: byId.extend({ keyId: queryId }),
  body: z.object({ reason: reasonText }),
  response: stationKey,
})
