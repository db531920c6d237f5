import { type ApiError, apiErrors } from '@rogatka/contract/errors.ts'

/** A call that was answered, but not with success. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number
  readonly errors: ApiError[]
  /** For the administrator's log. */
  readonly requestId: string | null

  constructor(message: string, status: number, errors: ApiError[], requestId: string | null) {
    super(message)
    this.status = status
    this.errors = errors
    this.requestId = requestId
  }
}

/** A call that was never answered: the server is away or the network is. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** The failure of an answer: the first error as `path: userMessage` if the body is a list of errors, else the status. */
export function failureOf(status: number, body: unknown, requestId: string | null): ApiFailure {
  const parsed = apiErrors.safeParse(body)
  const errors = parsed.success ? parsed.data : []
  const [first] = errors
  return new ApiFailure(first ? `${first.path}: ${first.userMessage}` : String(status), status, errors, requestId)
}

/** For bytes the message is the first error's text alone, else the status. */
export function blobFailureOf(status: number, body: unknown, requestId: string | null): ApiFailure {
  const { errors } = failureOf(status, body, requestId)
  return new ApiFailure(errors[0]?.userMessage ?? String(status), status, errors, requestId)
}

/** Whether the server said this code. */
export const hasCode = (error: unknown, code: ApiError['code']): boolean =>
  error instanceof ApiFailure && error.errors.some((one) => one.code === code)
