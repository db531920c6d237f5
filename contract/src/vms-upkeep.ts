import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { queryId, requiredText } from './wire.ts'

export const MAX_VARIANTS = 20
export const MAX_LINES = 8

/** Pictograms that screens can draw. */
export const pictogramNames = [
  'weigh',
  'lorries-forbidden',
  'overtaking-forbidden',
  'speed-50',
  'speed-70',
  'danger',
  'control',
  'exit-right',
] as const
export type PictogramName = (typeof pictogramNames)[number]

/** Simulated, or a real sign by SNMP. */
export const signDrivers = ['simulated', 'ntcip1203'] as const

const version = { version: z.int().optional() }
const id = z.int('invalid-number').positive('value-too-small')
const wholeUpTo = (max: number) => z.int('invalid-number').min(1, 'value-too-small').max(max, 'value-too-large')

const groupValues = z.object({
  description: requiredText(100),
  /** Names of the variants, by number from 1. */
  variants: z.array(requiredText(60)).min(1, 'required-parameter-missing').max(MAX_VARIANTS, 'list-too-long'),
})
export const newGroup = groupValues.extend({ locationId: id })
export type GroupValues = z.output<typeof groupValues>
export type NewSignGroup = z.output<typeof newGroup>

/** What can be changed of a sign. Commands check their options by it, too. */
export const signValues = z.object({
  roadNumber: requiredText(30),
  chainage: requiredText(30),
  driver: z.enum(signDrivers, 'unknown-option'),
  /** Name or IP address. */
  host: requiredText(253).regex(/^[\w.:-]+$/, 'invalid-value'),
  port: wholeUpTo(65_535),
  /** SNMP community, a secret that no response contains; absent: unchanged, or `public` for a new sign. */
  community: requiredText(100).optional(),
  /** Shows plates of vehicles; one sign of a station. */
  showsPlates: z.boolean(),
  /** Contents by variant, from 1; null: none yet, so that the variant cannot be enabled. */
  contentIds: z.array(id.nullable()).max(MAX_VARIANTS, 'list-too-long'),
})
export type SignValues = z.output<typeof signValues>

const sign = signValues.omit({ community: true }).extend({
  id: z.int(),
  /** Position in the group, from 1. */
  number: z.int(),
})

const group = groupValues.extend({
  id: z.int(),
  locationId: z.int(),
  shortName: z.string(),
  /** A variant is enabled on one of its signs, or a command is pending: only descriptions can be changed. */
  enabled: z.boolean(),
  signs: z.array(sign),
  /** Version of the group with its signs. */
  version: z.int(),
})
export type UpkeepGroup = z.output<typeof group>
export type WireUpkeepGroup = z.input<typeof group>
export type WireUpkeepSign = z.input<typeof sign>

const contentFields = z.object({
  description: requiredText(100),
  /** Null: only text. */
  pictogram: z.enum(pictogramNames, 'unknown-option').nullable(),
  /** Number under which the sign stores the pictogram; null without one. */
  graphic: wholeUpTo(255).nullable(),
  lines: z.array(requiredText(60)).max(MAX_LINES, 'list-too-long'),
})
type ContentFields = z.output<typeof contentFields>

/** What can be changed of a content. Commands check their options by it, too. */
const checked = <T extends z.ZodType<ContentFields>>(fields: T) =>
  fields
    .refine(({ pictogram, lines }) => pictogram !== null || lines.length > 0, {
      error: 'content-empty',
      path: ['lines'],
    })
    .refine(({ pictogram, graphic }) => pictogram === null || graphic !== null, {
      error: 'graphic-missing',
      path: ['graphic'],
    })
export const contentValues = checked(contentFields)
export type ContentValues = z.output<typeof contentValues>

const content = contentFields.extend({
  id: z.int(),
  /** Any name: contents stored by early versions were not validated. */
  pictogram: z.string().nullable(),
  /** Number of signs that have it in a variant. */
  uses: z.int(),
  version: z.int(),
})
export type UpkeepContent = z.output<typeof content>
export type WireUpkeepContent = z.input<typeof content>

const byId = z.object({ id: queryId })

export const signGroups = endpoint({
  method: 'GET',
  path: '/sign-groups',
  access: 'UsersAdmin',
  summary: 'Lists groups of signs by station, with all that can be changed of them and their signs',
  response: z.array(group),
})

export const addSignGroup = endpoint({
  method: 'POST',
  path: '/sign-groups',
  access: 'UsersAdmin',
  summary: 'Adds a group of signs to a station',
  body: newGroup,
  response: group,
})

export const changeSignGroup = endpoint({
  method: 'PUT',
  path: '/sign-groups/:id',
  access: 'UsersAdmin',
  summary: 'Renames a group of signs and its variants; their number changes only while the group is disabled',
  params: byId,
  body: groupValues.extend(version),
  response: group,
})

export const removeSignGroup = endpoint({
  method: 'DELETE',
  path: '/sign-groups/:id',
  access: 'UsersAdmin',
  summary: 'Deletes a group without signs',
  params: byId,
})

export const addSign = endpoint({
  method: 'POST',
  path: '/sign-groups/:id/signs',
  access: 'UsersAdmin',
  summary: 'Adds a sign at the end of a disabled group and returns the group',
  params: byId,
  body: signValues,
  response: group,
})

export const changeSign = endpoint({
  method: 'PUT',
  path: '/signs/:id',
  access: 'UsersAdmin',
  summary: 'Changes a sign of a disabled group and returns the group; `version` is that of the group',
  params: byId,
  body: signValues.extend(version),
  response: group,
})

export const removeSign = endpoint({
  method: 'DELETE',
  path: '/signs/:id',
  access: 'UsersAdmin',
  summary: 'Deletes a sign of a disabled group',
  params: byId,
})

export const signContents = endpoint({
  method: 'GET',
  path: '/sign-contents',
  access: 'UsersAdmin',
  summary: 'Lists contents of signs with all that can be changed of them',
  response: z.array(content),
})

export const addSignContent = endpoint({
  method: 'POST',
  path: '/sign-contents',
  access: 'UsersAdmin',
  summary: 'Adds a content of signs',
  body: contentValues,
  response: content,
})

export const changeSignContent = endpoint({
  method: 'PUT',
  path: '/sign-contents/:id',
  access: 'UsersAdmin',
  summary: 'Changes a content that no enabled group has',
  params: byId,
  body: checked(contentFields.extend(version)),
  response: content,
})

export const removeSignContent = endpoint({
  method: 'DELETE',
  path: '/sign-contents/:id',
  access: 'UsersAdmin',
  summary: 'Deletes a content that no sign has',
  params: byId,
})
