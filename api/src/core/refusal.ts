import type { ErrorCode } from '@rogatka/contract/errors.ts'

/** A validation or domain error: the field (null: the whole request), the error code, and the values in its text. */
export type FieldError = { path: string | null; code: ErrorCode; params?: Record<string, number | string> }

/** Thrown by a route to refuse a request, with its HTTP status. */
export class Refusal extends Error {
  readonly status: number
  readonly errors: FieldError[]
  /** In seconds, for 429 and 503. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, status: number, path: string | null = null, retryAfter?: number) {
    super(code)
    this.status = status
    this.errors = [{ path, code }]
    this.retryAfter = retryAfter
  }
}

/** A refusal with several errors. */
export function refuseFields(status: number, errors: FieldError[]): Refusal {
  const refusal = new Refusal(errors[0]?.code ?? 'bad-request', status)
  refusal.errors.splice(0, 1, ...errors)
  return refusal
}
