import de from '@rogatka/contract/errors/de.json' with { type: 'json' }
import en from '@rogatka/contract/errors/en.json' with { type: 'json' }
import lt from '@rogatka/contract/errors/lt.json' with { type: 'json' }
import pl from '@rogatka/contract/errors/pl.json' with { type: 'json' }
import ro from '@rogatka/contract/errors/ro.json' with { type: 'json' }
import { type ApiError, type ErrorCode, errorCodes } from '@rogatka/contract/errors.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import type { z } from 'zod'
import { isDatabaseUnavailable } from './database.ts'
import { type FieldError, Refusal } from './refusal.ts'
import { StorageUnavailable } from './storage-unavailable.ts'
import { createTexts } from './texts.ts'

const texts = createTexts('errors', { pl, en, lt, de, ro })

/** The errors with texts in the requested language, as in every response that is not 2xx. */
export const toApiErrors = (errors: FieldError[], language: Language): ApiError[] =>
  errors.map(({ path, code, params }) => ({
    path,
    code,
    userMessage: texts.format(language, code, params ?? {}),
  }))

/** All Zod issues; the path is dotted (`axles.3.gap`). */
export const fromZodIssues = (error: z.core.$ZodError | z.ZodError): FieldError[] =>
  error.issues.map((issue) => ({ path: issue.path.join('.') || null, code: codeOf(issue) }))

function codeOf(issue: z.core.$ZodIssue): ErrorCode {
  // A schema may use an error code as its message.
  if (errorCodes.includes(issue.message as ErrorCode)) return issue.message as ErrorCode
  // Missing, whatever type is expected: a list, an option, a date.
  if ('input' in issue && issue.input === undefined) return 'required-parameter-missing'
  const last = issue.path.at(-1)
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'number' || issue.expected === 'int' ? 'invalid-number' : 'invalid-value'
    case 'too_big':
      if (last === 'axles') return 'too-many-axles'
      return issue.origin === 'string'
        ? 'text-too-long'
        : issue.origin === 'array'
          ? 'list-too-long'
          : 'value-too-large'
    case 'too_small':
      return 'value-too-small'
    case 'invalid_format':
      return issue.format === 'datetime' || issue.format === 'date' ? 'invalid-date' : 'invalid-value'
    case 'invalid_value':
      return 'unknown-option'
    default:
      return 'invalid-value'
  }
}

/** Errors of Fastify before a route is reached. */
const FASTIFY_ERRORS: Record<string, [ErrorCode, number]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 413],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 415],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['bad-request', 400],
  FST_ERR_CTP_INVALID_JSON_BODY: ['bad-request', 400],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad-request', 400],
  FST_ERR_BAD_URL: ['bad-request', 400],
  FST_ERR_MAX_PARAM_LENGTH: ['not-found', 404],
}

/** Database constraints whose violation is a client error: code, status, field. */
const CONSTRAINT_ERRORS: Record<string, [ErrorCode, number, string | null]> = {
  app_user_username_unique: ['username-taken', 409, 'username'],
  location_pkey: ['station-number-taken', 409, 'id'],
  location_short_name_unique: ['station-name-taken', 409, 'shortName'],
  vms_content_description_unique: ['content-name-taken', 409, 'description'],
  vms_sign_content_content_id_fkey: ['content-not-found', 422, 'contentIds'],
  device_name_unique: ['device-name-taken', 409, 'name'],
  webhook_name_unique: ['webhook-name-taken', 409, 'name'],
  exchange_system_name_unique: ['system-name-taken', 409, 'name'],
  static_scale_name_unique: ['scale-name-taken', 409, 'name'],
  role_name_unique: ['role-name-taken', 409, 'name'],
  user_role_role_in_use: ['role-in-use', 409, null],
  inspection_open_of_vehicle: ['inspection-exists', 409, null],
  wanted_plate_once: ['plate-already-listed', 409, 'plateLpr'],
  wanted_contact_once: ['contact-already-listed', 409, 'contact'],
}

/**
 * Whether a disk is full, missing or read-only: `syscall` marks file errors, 53100 is PostgreSQL's code for a full
 * disk.
 */
const isStorageUnavailable = (error: unknown): boolean => {
  if (error instanceof StorageUnavailable) return true
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  const isFileError = typeof syscall === 'string' && /^(open|read|write|mkdir|rename|fsync|fdatasync)$/.test(syscall)
  if (code === '53100') return true
  return isFileError && /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM|EIO|ENOTDIR|EEXIST|EMFILE|ENFILE)$/.test(String(code))
}

/** Maps any error to a refusal; an unknown one becomes 500 without internals. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isStorageUnavailable(error)) return new Refusal('storage-unavailable', 503, null, 60)
  if (isDatabaseUnavailable(error)) return new Refusal('unavailable', 503, null, 5)
  const { code, statusCode, constraint } = error as {
    code?: string
    statusCode?: number
    constraint?: string
  }
  const violated = constraint ? CONSTRAINT_ERRORS[constraint] : undefined
  if (violated) return new Refusal(...violated)
  const known = code ? FASTIFY_ERRORS[code] : undefined
  if (known) return new Refusal(...known)
  // A NUL or an unpaired surrogate, which PostgreSQL cannot store.
  if (code === '22021' || code === '22P02' || code === '22P05') return new Refusal('invalid-value', 400)
  // An integer out of the column's range: no such id exists.
  if (code === '22003') return new Refusal('value-too-large', 400)
  if (statusCode === 429) return new Refusal('too-many-requests', 429, null, 1)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Refusal('bad-request', statusCode)
  return new Refusal('internal-error', 500)
}
