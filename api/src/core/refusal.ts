import type { ErrorCode } from '@rogatka/contract/errors.ts'

/**
 * A wrong request or an outcome of the domain: the field it belongs to (null: the whole request), its key, and the
 * numbers that its text has places for.
 */
export type FieldError = { path: string | null; code: ErrorCode; params?: Record<string, number> }

/** Thrown by a route to refuse, with the HTTP status to answer. */
export class Refusal extends Error {
  readonly status: number
  readonly faults: FieldError[]
  /** Seconds, for 429 and 503. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, status: number, path: string | null = null, retryAfter?: number) {
    super(code)
    this.status = status
    this.faults = [{ path, code }]
    this.retryAfter = retryAfter
  }
}

/** One refusal that names every fault. */
export function refuseFields(status: number, faults: FieldError[]): Refusal {
  const refusal = new Refusal(faults[0]?.code ?? 'bad-request', status)
  refusal.faults.splice(0, 1, ...faults)
  return refusal
}
