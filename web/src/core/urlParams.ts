import type { Level } from '../ui/sortLevels.ts'

/*
 * Parsers of single URL parameters. Malformed values become undefined, so that shared links never fail.
 */

/** The option whose string form equals the value. */
export const oneOf = <T>(options: readonly T[], value: unknown): T | undefined =>
  options.find((option) => String(option) === String(value))

/** ISO 8601 in UTC. */
export const instantIn = (value: unknown): string | undefined => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** Integer from 1. */
export const positiveIn = (value: unknown): number | undefined => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** Page from 2: page 1 is omitted from URLs. */
export const pageIn = (value: unknown): number | undefined => {
  const page = positiveIn(value)
  return page === 1 ? undefined : page
}

/** Trimmed text; undefined if empty. */
export const textIn = (value: unknown): string | undefined => String(value ?? '').trim() || undefined

/** True if set; false is omitted from URLs. */
export const flagIn = (value: unknown): true | undefined => String(value) === 'true' || undefined

/** Order of a list as text, `-lastLogin` for a descending one; undefined for others and for the default. */
export function orderIn<C extends string>(columns: readonly C[], value: unknown): string | undefined {
  const text = String(value)
  return columns.some((column) => column === text || `-${column}` === text) ? text : undefined
}

/** The level of an order as text. */
export const levelOf = <C extends string>(order: string | undefined): Level<C> | undefined =>
  order === undefined
    ? undefined
    : { column: order.replace(/^-/, '') as C, direction: order.startsWith('-') ? 'desc' : 'asc' }

/** An order as text; undefined: the default. */
export const orderText = (level: Level | undefined): string | undefined =>
  level && (level.direction === 'desc' ? `-${level.column}` : level.column)
