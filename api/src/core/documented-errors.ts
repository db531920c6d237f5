import type { Endpoint } from '@rogatka/contract/endpoint.ts'
import { type ErrorCode, validationCodes } from '@rogatka/contract/errors.ts'
import type { ReferenceErrors } from '@rogatka/contract/reference.ts'

/** Error codes that an endpoint may return, by status: those of every endpoint of its kind, then its own. */
export function documentedErrors(endpoint: Endpoint, own: ReferenceErrors = {}): Map<number, ErrorCode[]> {
  const { method, access, params, query, body, raw, stepUp, allowsExpiredPassword, allowsMissingFactor } = endpoint
  const errors = new Map<number, ErrorCode[]>()
  const add = (status: number, codes: readonly ErrorCode[]) =>
    errors.set(status, [...new Set([...(errors.get(status) ?? []), ...codes])])

  // A body is parsed also where none is needed.
  if (method !== 'GET') {
    add(400, ['bad-request'])
    add(413, ['too-large'])
    add(415, ['unsupported-media-type'])
  }
  if (params || query || body || raw) add(400, validationCodes)
  if (access === 'station') add(401, ['wrong-station-key'])
  else if (access !== 'public') {
    add(401, ['unauthorized'])
    // Also with access for any session: those of devices and systems reach only their endpoints.
    add(403, ['forbidden'])
    if (!allowsExpiredPassword) add(403, ['password-expired'])
    if (!allowsMissingFactor) add(403, ['factor-setup-required'])
    if (stepUp) add(403, ['step-up-required'])
  }
  add(429, ['too-many-requests'])
  add(500, ['internal-error'])
  add(503, ['unavailable', 'storage-unavailable'])
  for (const [status, codes] of Object.entries(own)) add(Number(status), codes)
  return new Map([...errors].sort(([a], [b]) => a - b))
}
