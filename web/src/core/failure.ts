import type { ApiError } from '@rogatka/contract/errors.ts'

/** The server responded with an error status. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number
  readonly errors: ApiError[]
  /** To find the request in the server log. */
  readonly requestId: string | null
  /** After which the server may be asked again, by Retry-After; null if it gives no number of seconds. */
  readonly retryAfterMs: number | null

  constructor(
    message: string,
    status: number,
    errors: ApiError[],
    requestId: string | null,
    retryAfterMs: number | null = null,
  ) {
    super(message)
    this.status = status
    this.errors = errors
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
  }
}

/** The server did not respond: server or network down. */
export class ServerUnavailable extends Error {
  override readonly name = 'ServerUnavailable'
}

// Without zod, which the login page does not load.
const isErrorList = (body: unknown): body is ApiError[] => Array.isArray(body) && body.every(isError)

function isError(entry: unknown): entry is ApiError {
  if (typeof entry !== 'object' || entry === null) return false
  const { path, code, userMessage } = entry as Record<string, unknown>
  return (path === null || typeof path === 'string') && typeof code === 'string' && typeof userMessage === 'string'
}

/**
 * Failure of a response; the message is the first error as `path: userMessage` if the body is a list of errors, else
 * the status.
 */
export function failureOf(status: number, body: unknown, requestId: string | null): ApiFailure {
  const errors = isErrorList(body) ? body : []
  const [first] = errors
  return new ApiFailure(first ? `${first.path}: ${first.userMessage}` : String(status), status, errors, requestId)
}

/** Failure of a binary response; the message is the text of the first error, else the status. */
export function blobFailureOf(
  status: number,
  body: unknown,
  requestId: string | null,
  retryAfterMs: number | null = null,
): ApiFailure {
  const { errors } = failureOf(status, body, requestId)
  return new ApiFailure(errors[0]?.userMessage ?? String(status), status, errors, requestId, retryAfterMs)
}

/** Whether the errors include this code. */
export const hasCode = (error: unknown, code: ApiError['code']): boolean =>
  error instanceof ApiFailure && error.errors.some((entry) => entry.code === code)
