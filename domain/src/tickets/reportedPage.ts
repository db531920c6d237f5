/** URL parameters that are safe to store; their values are numbers. All others may contain a plate. */
const SAFE_PARAMETERS = new Set([
  'id',
  'locationId',
  'locations',
  'location',
  'station',
  'lane',
  'step',
  'page',
  'year',
  'month',
])
const NUMBERS = /^\d{1,16}(,\d{1,16}){0,50}$/

/** Path segments of the portal, ids and instants; anything else was typed. */
const PATH = /^(\/|(\/[a-z][A-Za-z]*(-[a-z]+)*|\/\d{1,16}|\/\d{4}-\d\d-\d\dT[\d:.]+Z)+)$/

/**
 * The page of a problem report without data on vehicles and persons: the path and safe parameters. Null for foreign
 * paths.
 */
export function reportedPage(address: string): string | null {
  const [withQuery = ''] = address.split('#')
  const queryStart = withQuery.indexOf('?')
  const path = decodePath(queryStart < 0 ? withQuery : withQuery.slice(0, queryStart))
  if (path === null || !PATH.test(path)) return null
  const query = new URLSearchParams(queryStart < 0 ? '' : withQuery.slice(queryStart + 1))
  const kept = [...query]
    .map(([name, value]) => [name, value.replace(/^\[(.*)\]$/, '$1')] as const)
    .filter(([name, value]) => SAFE_PARAMETERS.has(name) && NUMBERS.test(value))
    .map(([name, value]) => `${name}=${value}`)
  return kept.length > 0 ? `${path}?${kept.join('&')}` : path
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
