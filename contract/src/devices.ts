import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { day, optionalText, queryId, requiredText, tokenFields } from './wire.ts'

/** Prefix of the tokens of devices, by which they differ from those of sessions, also for secret scanners. */
export const DEVICE_TOKEN_PREFIX = 'device_'

/** Columns of the list of a wall screen. */
export const deviceColumns = [2, 3, 4] as const
export type DeviceColumns = (typeof deviceColumns)[number]

/** Maximum number of stations of a device. */
const MAX_STATIONS = 1_000

/** What a device shows. */
const shown = {
  name: requiredText(60),
  locationIds: z
    .array(z.int().positive(), {
      error: ({ input }) => (input == null ? 'required-parameter-missing' : 'invalid-value'),
    })
    .min(1, 'required-parameter-missing')
    .max(MAX_STATIONS, 'list-too-long'),
  columns: z.literal(deviceColumns, 'unknown-option'),
  /** Plates are masked and images blurred. */
  anonymised: z.boolean(),
  /** Hits of the black lists of all users; never together with `anonymised`. */
  wanted: z.boolean(),
}

const newDevice = z.object({
  ...shown,
  /** Where the screen hangs, or another remark. */
  remark: optionalText(200).nullish(),
  /** Last day on which the token is valid, in Polish time; null: until it is revoked. */
  validUntil: day.nullish(),
})
export type WireNewDevice = z.input<typeof newDevice>

export const device = z.object({
  ...shown,
  id: z.int(),
  remark: z.string().nullable(),
  validUntil: z.string().nullable(),
  ...tokenFields,
})
export type Device = z.output<typeof device>
export type WireDevice = z.input<typeof device>

/** A device with its token, which no later response contains. */
const withToken = z.object({ device, token: z.string() })

const byId = z.object({ id: queryId })

export const list = endpoint({
  method: 'GET',
  path: '/devices',
  access: 'UsersAdmin',
  summary: 'Lists wall screens by name, with those that were revoked',
  response: z.array(device),
})

export const read = endpoint({
  method: 'GET',
  path: '/devices/:id',
  access: 'UsersAdmin',
  summary: 'Returns a wall screen',
  params: byId,
  response: device,
})

export const add = endpoint({
  method: 'POST',
  path: '/devices',
  access: 'UsersAdmin',
  summary: 'Adds a wall screen and returns its token, once; it shows no more than the caller may see',
  stepUp: 'recent',
  body: newDevice,
  response: withToken,
})

export const change = endpoint({
  method: 'PUT',
  path: '/devices/:id',
  access: 'UsersAdmin',
  summary: 'Changes a wall screen; its token stays',
  stepUp: 'recent',
  params: byId,
  body: newDevice.extend({ version: z.int().optional() }),
  response: device,
})

export const renew = endpoint({
  method: 'POST',
  path: '/devices/:id/token',
  access: 'UsersAdmin',
  summary: 'Replaces the token of a wall screen and returns the new one, once; the former stops working',
  stepUp: 'recent',
  params: byId,
  response: withToken,
})

export const revoke = endpoint({
  method: 'POST',
  path: '/devices/:id/revoke',
  access: 'UsersAdmin',
  summary: 'Revokes a wall screen for good: its token stops working and its streams end',
  stepUp: 'recent',
  params: byId,
  response: device,
})

export const readSelf = endpoint({
  method: 'GET',
  path: '/devices/self',
  access: 'device',
  summary: 'Returns what the calling device shows',
  response: z.object({ ...shown, id: z.int() }),
})
/** The response to a wall screen about itself. */
export type WireDeviceSelf = z.input<typeof readSelf.response>
