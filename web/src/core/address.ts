/*
 * Readers of single values of an address. What is malformed reads as undefined: a shared link never fails.
 */

/** The one of the options that is written so. */
export const oneOf = <T>(options: readonly T[], value: unknown): T | undefined =>
  options.find((option) => String(option) === String(value))

/** ISO 8601 in UTC. */
export const instantIn = (value: unknown): string | undefined => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** A whole number from 1. */
export const positiveIn = (value: unknown): number | undefined => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** A page from 2: the first one is not written. */
export const pageIn = (value: unknown): number | undefined => {
  const page = positiveIn(value)
  return page === 1 ? undefined : page
}

/** A text without blanks around it; undefined where nothing is left. */
export const textIn = (value: unknown): string | undefined => String(value ?? '').trim() || undefined

/** A flag that is written where it is set. */
export const flagIn = (value: unknown): true | undefined => String(value) === 'true' || undefined
