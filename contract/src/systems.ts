import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { day, optionalText, queryId, requiredText, tokenFields } from './wire.ts'

/** Exchange keys begin with this, so that they differ from other tokens, also for tools that look for secrets. */
export const SYSTEM_KEY_PREFIX = 'system_'

/** Rights that a system can have, by name; each opens the calls that read it. */
export const systemRights = ['CurrentMeasurements', 'ArchiveMeasurements', 'Vms', 'Stat'] as const
export type SystemRight = (typeof systemRights)[number]

/** Maximum number of stations of a system. */
const MAX_STATIONS = 1_000

const missing = ({ input }: { input?: unknown }) => (input == null ? 'required-parameter-missing' : 'invalid-value')

/** What a system may read. */
const readable = {
  name: requiredText(60),
  locationIds: z
    .array(z.int().positive(), { error: missing })
    .min(1, 'required-parameter-missing')
    .max(MAX_STATIONS, 'list-too-long'),
  rights: z
    .array(z.enum(systemRights, 'unknown-option'), { error: missing })
    .min(1, 'required-parameter-missing')
    .max(systemRights.length, 'list-too-long'),
  /** Without: plates are masked and images blurred. */
  plates: z.boolean(),
  /** Last day on which the key is valid, in Polish time. */
  validUntil: day,
}

const newSystem = z.object({
  ...readable,
  /** Who operates it, or another remark. */
  remark: optionalText(200).nullish(),
})
export type WireNewSystem = z.input<typeof newSystem>

export const system = z.object({
  ...readable,
  id: z.int(),
  remark: z.string().nullable(),
  ...tokenFields,
})
export type System = z.output<typeof system>
export type WireSystem = z.input<typeof system>

/** A system with its key, which no later response contains. */
const withKey = z.object({ system, key: z.string() })

const byId = z.object({ id: queryId })

export const list = endpoint({
  method: 'GET',
  path: '/systems',
  access: 'Exchange',
  summary: 'Lists systems with an exchange key by name, with those that were revoked',
  response: z.array(system),
})

export const read = endpoint({
  method: 'GET',
  path: '/systems/:id',
  access: 'Exchange',
  summary: 'Returns a system',
  params: byId,
  response: system,
})

export const add = endpoint({
  method: 'POST',
  path: '/systems',
  access: 'Exchange',
  summary: 'Adds a system and returns its exchange key, once; it may read no more than the caller',
  stepUp: 'recent',
  body: newSystem,
  response: withKey,
})

export const change = endpoint({
  method: 'PUT',
  path: '/systems/:id',
  access: 'Exchange',
  summary: 'Changes what a system may read; its key stays',
  stepUp: 'recent',
  params: byId,
  body: newSystem.extend({ version: z.int().optional() }),
  response: system,
})

export const renew = endpoint({
  method: 'POST',
  path: '/systems/:id/key',
  access: 'Exchange',
  summary: 'Replaces the exchange key of a system and returns the new one, once; the former stops working',
  stepUp: 'recent',
  params: byId,
  response: withKey,
})

export const revoke = endpoint({
  method: 'POST',
  path: '/systems/:id/revoke',
  access: 'Exchange',
  summary: 'Revokes a system for good: its key stops working and its streams end',
  stepUp: 'recent',
  params: byId,
  response: system,
})

export const readSelf = endpoint({
  method: 'GET',
  path: '/systems/self',
  access: 'system',
  summary: 'Returns what the calling system may read',
  response: z.object({ ...readable, id: z.int() }),
})
