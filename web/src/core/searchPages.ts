import { type HiddenFields, idOf, takeFields } from './plateSearches.ts'

/** Pages whose addresses, and calls whose queries, have ids of saved searches in place of plates. */
type SearchPage = {
  /** Path of its searches in the API. */
  api: '/arch-vehicles/searches' | '/current-vehicles/searches' | '/wanted-plates/searches'
  pages: readonly string[]
  calls: readonly string[]
  /** Fields of a query that hold plates, and the parameter that replaces them. */
  fields: readonly string[]
  parameter: 'search' | 'searchId'
}

const PAGES: readonly SearchPage[] = [
  {
    api: '/arch-vehicles/searches',
    pages: ['/archival', '/archival/result'],
    calls: ['/arch-vehicles', '/arch-vehicles/report'],
    fields: ['plateLpr', 'plates'],
    parameter: 'search',
  },
  {
    api: '/current-vehicles/searches',
    pages: ['/'],
    calls: ['/current-vehicles', '/current-vehicles/check', '/current-vehicles/counters', '/current-vehicles/stream'],
    fields: ['plateLpr'],
    parameter: 'search',
  },
  {
    api: '/wanted-plates/searches',
    pages: ['/black-list', '/white-list'],
    calls: ['/wanted-plates', '/wanted-plates/report'],
    fields: ['search'],
    parameter: 'searchId',
  },
]

export type SearchPath = SearchPage['api']

/** Where the searches of a page are saved; undefined: it has none. */
export const searchPathOf = (pathname: string): SearchPath | undefined =>
  PAGES.find(({ pages }) => pages.includes(pathname))?.api

/** A search to save. */
export type Search = { api: SearchPath; id: string; fields: HiddenFields }

/** The query of a call with an id in place of plates, and the search that it stands for; null: it has none. */
export function hideQuery(path: string, query: unknown): { query: Record<string, unknown>; search: Search } | null {
  const page = PAGES.find(({ calls }) => calls.includes(path))
  const taken = page && takeFields((query ?? {}) as Record<string, unknown>, page.fields)
  if (!taken) return null
  const { search: text, ...others } = taken.fields
  const fields = text === undefined ? others : { text }
  const id = idOf(fields)
  return { query: { ...taken.rest, [page.parameter]: id }, search: { api: page.api, id, fields } }
}

/** Fields as the API saves them: a plate list has one, whatever the page uses it for. */
export const toFilters = ({ text, plate, ...fields }: HiddenFields): HiddenFields => {
  const search = text ?? plate
  return search === undefined ? fields : { search }
}

/** The opposite of `toFilters`, for a parameter of an address. */
export function toFields(filters: Readonly<Record<string, unknown>>, parameter: string): HiddenFields {
  const texts = Object.entries(filters).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : String(value),
  ])
  const { search = '', ...fields } = Object.fromEntries(texts) as Record<string, string>
  if (parameter === 'search') return fields
  return parameter === 'entry' ? { plate: search } : { text: search }
}
