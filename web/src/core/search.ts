import { hideFields, showFields } from './plateSearches.ts'

/** The parameters of an address as they stand in it. */
export const readParameters = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text.replace(/^\?/, '')))

/** URL search parameters as strings, plates in place of known ids; features convert the types in `validateSearch`. */
export const parseSearch = (text: string): Record<string, string> => showFields(readParameters(text))

/** Search part of a URL, as short as in the API: `?locations=1,2&sort=desc`. Without empty values, ids in place of plates. */
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(hideFields(search)).flatMap(([key, value]) => {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
    return text === '' ? [] : [`${encodeURIComponent(key)}=${encodeURIComponent(text).replaceAll('%2C', ',')}`]
  })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** Pages whose `search` was the text of a search. */
const LIST_PATH = /^\/(?:black|white)-list$/

/**
 * An address of this portal with ids in place of plates, also in the address to return to after the sign-in. For links
 * that were shared before there were ids. Null: the address holds no plates.
 */
export function addressWithoutPlates(address: string): string | null {
  const { pathname, search, hash } = new URL(address, location.origin)
  const parameters = readParameters(search)
  const { search: text, wanted, ...rest } = parameters
  const isList = LIST_PATH.test(pathname)
  const returnTo = wanted?.startsWith('/') ? addressWithoutPlates(wanted) : null
  const named = isList ? { ...rest, text } : parameters
  const hidden = hideFields(named)
  if (hidden === named && returnTo === null) return null
  return pathname + stringifySearch({ ...hidden, ...(wanted !== undefined && { wanted: returnTo ?? wanted }) }) + hash
}
