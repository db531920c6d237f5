import { ApiFailure } from '../core/failure.ts'

/** Whether the portal has refused a request; if not, it may be sent again. */
export const isRefusal = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.status < 500 && ![401, 408, 429].includes(error.status)
