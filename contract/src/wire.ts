import { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/*
 * Wire formats. Loads are integers in kg, lengths in cm, speeds in km/h, times ISO 8601 in UTC with milliseconds.
 * Queries are text, so their numbers, flags and lists have separate schemas here.
 */

/** Instant: ISO 8601 text on the wire, a Date in the server. Accepts offsets, returns UTC. */
export const instant = z.codec(z.iso.datetime({ offset: true }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})

const text = (missing: ErrorCode) => z.string({ error: ({ input }) => (input == null ? missing : 'invalid-value') })

/**
 * Invisible characters, such as bidirectional controls, which reorder what is read, and zero-width spaces, which make an
 * empty text look filled in.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

const removeInvisible = (value: string): string => value.replace(INVISIBLE, '')

/** Required text, trimmed and without invisible characters; `missing` is the error code if empty. */
export const requiredText = (maxLength: number, missing: ErrorCode = 'required-parameter-missing') =>
  text(missing).overwrite(removeInvisible).trim().min(1, missing).max(maxLength, 'text-too-long')

/** Text that may be empty, trimmed and without invisible characters. */
export const optionalText = (maxLength: number) =>
  z.string().overwrite(removeInvisible).trim().max(maxLength, 'text-too-long')

export const MAX_PASSWORD = 200
/** Password, not trimmed. */
export const passwordText = text('user-password-required')
  .min(1, 'user-password-required')
  .max(MAX_PASSWORD, 'text-too-long')

/** Current password of the caller; only accounts of a provider have none. */
export const ownPassword = passwordText.optional()

export const emailAddress = z
  .email({ error: ({ input }) => (input ? 'incorrect-email-address' : 'user-email-required') })
  .max(120, 'text-too-long')

const numberText = z.union([z.number(), z.string().regex(/^\s*-?\d+(\.\d+)?\s*$/)])

/** A number in a query. */
export const queryNumber = z.codec(numberText, z.number(), {
  decode: (value) => Number(value),
  encode: (value) => value,
})

/** A whole number in a query. */
export const queryInt = queryNumber.pipe(z.int())

/** Integer of at least 1 in a path or query. */
export const queryId = queryInt.pipe(z.int().positive())

/** Page, from 1, and rows per page. */
export const pageQuery = z.object({
  page: queryId.default(1),
  limit: queryInt.pipe(z.int().min(1).max(100)).default(10),
})

/** Flag in a query: true, false, 1 or 0; empty (`?withTags`) means true. */
export const queryFlag = z.codec(z.union([z.boolean(), z.enum(['true', 'false', '1', '0', ''])]), z.boolean(), {
  decode: (value) => value === true || value === 'true' || value === '1' || value === '',
  encode: (value) => value,
})

const listText = z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])

const splitList = (value: string | number | (string | number)[]): string[] =>
  (Array.isArray(value) ? value : [value])
    .flatMap((part) =>
      String(part)
        .replace(/^\s*\[(.*)\]\s*$/, '$1')
        .split(','),
    )
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** List in a query: comma-separated (`1,2`), optionally in brackets, repeated (`a=1&a=2`), or both. */
export const queryTexts = z.codec(listText, z.array(z.string()), { decode: splitList, encode: (list) => list })

/** A list of whole numbers in a query. */
export const queryInts = queryTexts.pipe(
  z.codec(z.array(z.string().regex(/^-?\d{1,15}$/)), z.array(z.int()), {
    decode: (list) => list.map(Number),
    encode: (list) => list.map(String),
  }),
)

export const sortDirections = ['asc', 'desc'] as const
export type SortDirection = (typeof sortDirections)[number]

/** The measures that can be bounded by a min and a max, in wire units (km/h, kg, cm, pieces, percent). */
export const rangeFields = [
  'Speed',
  'TotalLoad',
  'VehLength',
  'VehHeight',
  'NumberOfAxles',
  'OverloadSA',
  'OverloadMA',
  'OverloadTL',
] as const
export type RangeField = (typeof rangeFields)[number]

const isYearInRange = (year: number): boolean => year >= 1900 && year < 2200

/** Start or end of a range: an instant of the years 1900 to 2199. */
export const rangeEnd = instant.refine((at) => isYearInRange(at.getUTCFullYear()), 'invalid-date')

/** A day in Polish time, of the years 1900 to 2199. */
export const day = z.iso.date('invalid-date').refine((date) => isYearInRange(Number(date.slice(0, 4))), 'invalid-date')

/** State of a token that has no session. `ended`: its last day has passed. */
const tokenStates = ['active', 'ended', 'revoked'] as const

/** What is known of a token that has no session, and of what holds it. */
export const tokenFields = {
  state: z.enum(tokenStates),
  created: z.object({ at: instant, by: z.string() }),
  /** When the present token was made. */
  renewedAt: instant,
  /** The latest request, to the minute; null: none with the present token. */
  lastSeenAt: instant.nullable(),
  revoked: z.object({ at: instant, by: z.string() }).nullable(),
  /** The caller holds every right of the holder, so may change it. */
  manageable: z.boolean(),
  /** Version for optimistic locking: must be sent with a change. */
  version: z.int(),
}
