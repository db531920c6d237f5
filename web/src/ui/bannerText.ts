type Failure = {
  name?: unknown
  status?: unknown
  requestId?: unknown
  errors?: unknown
  error?: unknown
  msg?: unknown
  message?: unknown
}

const asFailure = (error: unknown): Failure => (typeof error === 'object' && error !== null ? error : {})

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Errors without a path are formatted as `null: …`; removes that prefix. */
export const stripNullPrefix = (text: string): string => text.replace(/^null:\s*/, '')

/** Text of any thrown value: error.message, error, msg or message, else its JSON form. */
export function bannerText(error: unknown): string {
  if (typeof error === 'string') return error
  const { error: inner, msg, message } = asFailure(error)
  return (
    textIn(asFailure(inner).message) ?? textIn(inner) ?? textIn(msg) ?? textIn(message) ?? JSON.stringify(error) ?? ''
  )
}

/** All distinct `userMessage` texts of a refusal; empty without a list of errors. */
export function refusalTexts(error: unknown): string[] {
  const { errors } = asFailure(error)
  const texts = Array.isArray(errors)
    ? errors.map((entry) => textIn(asFailure(entry as unknown)['userMessage' as never]))
    : []
  return [...new Set(texts.filter((text) => text !== undefined))]
}

export const isUnavailable = (error: unknown): boolean => asFailure(error).name === 'ServerUnavailable'

/** HTTP status of a refusal; null for other errors. */
export function statusOf(error: unknown): number | null {
  const { status } = asFailure(error)
  return typeof status === 'number' ? status : null
}

/** Request id, to find the request in the server log; null without one. */
export const requestIdOf = (error: unknown): string | null => textIn(asFailure(error).requestId) ?? null
