type Value = string | number | boolean | null | undefined
export type Query = Record<string, Value | readonly Value[]>

/** Bounds of 0 are omitted. For all other parameters (pages, flags, enumerations) zero is a value. */
const isBound = (key: string) => /^(min|max)[A-Z]/.test(key)

const isEmpty = (key: string, value: Value): boolean =>
  value === null || value === undefined || value === '' || (isBound(key) && Number(value) === 0)

/**
 * Query string with `?`, or empty: without empty values, arrays as repeated `key=value`, `locations` joined by commas.
 */
export function queryString(query: Query = {}): string {
  const pairs: string[] = []
  for (const [key, parameter] of Object.entries(query)) {
    const values = (Array.isArray(parameter) ? parameter : [parameter])
      .filter((value) => !isEmpty(key, value))
      .map(String)
    if (values.length === 0) continue
    if (key === 'locations') pairs.push(`${key}=${values.map(encodeURIComponent).join(',')}`)
    else for (const value of values) pairs.push(`${key}=${encodeURIComponent(value)}`)
  }
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}
