/** URL search parameters as strings; features convert the types in `validateSearch`. */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text.replace(/^\?/, '')))

/** Search part of a URL, as short as in the API: `?locations=1,2&sort=desc`. Without empty values. */
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([key, value]) => {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
    return text === '' ? [] : [`${encodeURIComponent(key)}=${encodeURIComponent(text).replaceAll('%2C', ',')}`]
  })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}
