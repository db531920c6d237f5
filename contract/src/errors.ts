import { z } from 'zod'

/** Every error that the server can answer, by its stable translation key. Each has a text in five languages. */
export const errorCodes = [
  // general
  'bad-request',
  'unauthorized',
  'forbidden',
  'not-found',
  'conflict',
  'too-large',
  'unsupported-media-type',
  'too-many-requests',
  'unavailable',
  'starting',
  'internal-error',
  // validation
  'required-parameter-missing',
  'invalid-value',
  'invalid-number',
  'invalid-date',
  'value-too-small',
  'value-too-large',
  'text-too-long',
  'list-too-long',
  'unknown-option',
  // session
  'user-login-required',
  'user-password-required',
  'wrong-username-or-password',
  'too-many-login-attempts',
  'password-expired',
  'wrong-current-password',
  'password-too-short',
  'password-for-admin-cannot-be-shorter-than-12',
  'password-unchanged',
  // ingest
  'wrong-station-key',
  'not-a-measurement-list',
  'too-many-vehicles',
  'measurement-too-old',
  'measurement-in-the-future',
  'unknown-lane',
  'too-many-axles',
  'not-a-jpeg',
  'image-too-large',
  'duplicate-in-batch',
  // vehicles
  'vehicle-not-found',
  'image-not-found',
  'tag-not-found',
  'location-not-found',
  'min-greater-than-max',
  'plates-are-anonymised',
  'report-too-large',
  // people
  'reset-token-required',
  'reset-token-invalid',
  'role-name-required',
  'role-permissions-required',
  'role-name-taken',
  'role-in-use',
  'role-not-found',
  'user-not-found',
  'username-taken',
  'user-email-required',
  'incorrect-email-address',
  'incorrect-phone-number',
  'right-not-held',
  'administrator-needed',
  'last-administrator',
  'not-yourself',
  'anonymization-stays',
  'changed-meanwhile',
  // statistics and calibration
  'unknown-statistic',
  'resolution-too-small',
  'unsupported-resolution',
  'start-after-end',
  'too-many-periods',
  'calibration-in-the-future',
  // signs
  'sign-group-not-found',
  'sign-not-found',
  'variant-not-found',
  'content-not-found',
  'signs-incomplete',
  'sign-unavailable',
  'sign-did-not-answer',
  'sign-in-local-control',
  'sign-rejected-message',
  'sign-shows-plate',
  'scenario-not-enabled',
  'no-arrival-time',
  'vehicle-passed',
  'this-vehicle-selected',
  'another-vehicle-selected',
  'no-plate',
  'superseded',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** One error of an answer: the field it belongs to (null: the whole request), its key, and its text in the caller's language. */
export const apiError = z.object({
  path: z.string().nullable(),
  code: z.enum(errorCodes),
  userMessage: z.string(),
})
export type ApiError = z.infer<typeof apiError>

/** The body of every answer that is not 2xx. */
export const apiErrors = z.array(apiError)
