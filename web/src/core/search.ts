/** The search part of the address as plain texts; rooms give them their types in `validateSearch`. */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text.replace(/^\?/, '')))

/** The search part of an address, as short as the API's own: `?locations=1,2&sort=desc`. Empty values are dropped. */
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([key, value]) => {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
    return text === '' ? [] : [`${encodeURIComponent(key)}=${encodeURIComponent(text).replaceAll('%2C', ',')}`]
  })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}
