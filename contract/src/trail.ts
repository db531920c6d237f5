import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { instant, optionalText } from './wire.ts'

/*
 * The access trail: who looked at vehicles, when, from where and why.
 */

/** What an answer shows; stored by their position from 1, so new ones are added at the end. */
export const lookKinds = [
  'list',
  'detail',
  'image',
  'file',
  'history',
  'plates',
  'live',
  'hits',
  'wanted',
  'signs',
  'alarms',
  'quarantine',
  'audit',
  'inspections',
  'offenders',
  'views',
  'imports',
  'tickets',
  'trail',
] as const
export type LookKind = (typeof lookKinds)[number]

/** Why a user looks for plates; stored by their position from 1. */
export const purposes = [
  'roadside-check',
  'proceedings',
  'authority-request',
  'wanted-vehicle',
  'calibration',
  'data-quality',
  'person-request',
  'other',
] as const
export type Purpose = (typeof purposes)[number]

/** Plates of one answer that are kept one by one; of more only their number is. */
export const MAX_SHOWN_PLATES = 1_000

/** Purposes that need the reference of a case. */
export const purposesWithReference: readonly Purpose[] = ['proceedings', 'authority-request', 'person-request']

/** A purpose holds for this session and this time. */
export const PURPOSE_MINUTES = 30
/** Characters of the note that says which other purpose it is. */
export const MIN_PURPOSE_NOTE = 10
/** Files with more plates need a purpose. */
export const MAX_PLATES_WITHOUT_PURPOSE = 100

const reference = optionalText(60).nullish()
const note = optionalText(200).nullish()

export const sessionPurpose = z.object({
  /** Whether the portal asks for a purpose before a search by plate. */
  required: z.boolean(),
  /** What the session has given; null: nothing, or longer ago than it holds. */
  current: z
    .object({
      purpose: z.enum(purposes),
      reference: z.string().nullable(),
      note: z.string().nullable(),
      until: instant,
    })
    .nullable(),
})
export type SessionPurpose = z.output<typeof sessionPurpose>

export const readPurpose = endpoint({
  method: 'GET',
  path: '/users/self/purpose',
  access: 'session',
  summary: 'Returns why this session looks for plates, as long as that holds',
  response: sessionPurpose,
})

export const setPurpose = endpoint({
  method: 'PUT',
  path: '/users/self/purpose',
  access: 'session',
  summary: 'Says why this session looks for plates; holds for 30 minutes',
  body: z.object({ purpose: z.enum(purposes), reference, note }),
  response: sessionPurpose,
})

export const removePurpose = endpoint({
  method: 'DELETE',
  path: '/users/self/purpose',
  access: 'session',
  summary: 'Removes the purpose of this session',
})
