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

/** A general error has no path, which the rule of messages prints as `null: …`; nobody wants to read that. */
export const stripNullPrefix = (text: string): string => text.replace(/^null:\s*/, '')

/** What a banner says of anything that was thrown: error message, error, msg or message, else its JSON form. */
export function bannerText(error: unknown): string {
  if (typeof error === 'string') return error
  const { error: inner, msg, message } = asFailure(error)
  return (
    textIn(asFailure(inner).message) ?? textIn(inner) ?? textIn(msg) ?? textIn(message) ?? JSON.stringify(error) ?? ''
  )
}

/** Every text of a refusal once, without paths; none when the server sent no list of errors. */
export function refusalTexts(error: unknown): string[] {
  const { errors } = asFailure(error)
  const texts = Array.isArray(errors)
    ? errors.map((one) => textIn(asFailure(one as unknown)['userMessage' as never]))
    : []
  return [...new Set(texts.filter((text) => text !== undefined))]
}

export const isUnavailable = (error: unknown): boolean => asFailure(error).name === 'Unavailable'

/** The HTTP status of a refusal; null of anything else. */
export function statusOf(error: unknown): number | null {
  const { status } = asFailure(error)
  return typeof status === 'number' ? status : null
}

/** The number by which the administrator finds the request in the log. */
export const requestIdOf = (error: unknown): string | null => textIn(asFailure(error).requestId) ?? null
