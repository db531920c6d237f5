/** What a canonical record may hold: numbers are safe integers, texts have no lone surrogates. */
export type CanonicalValue =
  | string
  | number
  | boolean
  | null
  | readonly CanonicalValue[]
  | { readonly [key: string]: CanonicalValue }

/**
 * JSON in the canonical form of RFC 8785, so that equal records have equal bytes: keys sorted by UTF-16 code units, no
 * white space. Fractions are refused, as implementations write them differently: store tenths, or a text.
 * @throws TypeError if a number is not a safe integer, a text is not well-formed Unicode, or a value has no JSON
 */
export function canonical(value: CanonicalValue): string {
  if (typeof value === 'string') return textOf(value)
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError(`No canonical number: ${value}`)
    // -0 is 0.
    return String(value)
  }
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value instanceof Date) throw new TypeError(`No canonical value: ${String(value)}`)
  const members = value as { readonly [key: string]: CanonicalValue }
  const keys = Object.keys(members).sort()
  return `{${keys.map((key) => `${textOf(key)}:${canonical(members[key] as CanonicalValue)}`).join(',')}}`
}

function textOf(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('No canonical text: it has a lone surrogate')
  return JSON.stringify(text)
}

/** Values as PostgreSQL returns them of jsonb, or a time. */
export type StoredValue = string | number | boolean | null | Date | StoredValue[] | { [key: string]: StoredValue }

/** The same in canonical form: other numbers than safe integers as texts, times in ISO 8601 with milliseconds. */
export function toCanonical(value: StoredValue): CanonicalValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(toCanonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toCanonical(item)]))
}
