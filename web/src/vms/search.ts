/** URL parameters of the signs: the stations and the expanded groups. */
export type VmsSearch = {
  /** Absent: all stations. */
  locations?: number[] | undefined
  /** Absent: only the first group. */
  open?: number[] | undefined
}

/** In the URL: no group is expanded. Group ids are never 0. */
const NONE = 0

const numbers = (value: unknown): number[] | undefined => {
  const ids = String(value ?? '')
    .split(',')
    .filter((part) => /^\d{1,15}$/.test(part))
    .map(Number)
  return ids.length > 0 ? [...new Set(ids)] : undefined
}

/** Parses the URL; malformed values are ignored. */
export const readVmsSearch = ({ locations, open }: Record<string, unknown>): VmsSearch => ({
  locations: numbers(locations),
  open: numbers(open),
})

/** Expanded groups: those in the URL, else the first. */
export const openGroups = ({ open }: VmsSearch, ids: readonly number[]): number[] =>
  open ? ids.filter((id) => open.includes(id)) : ids.slice(0, 1)

/** Expands or collapses a group. */
export function toggleGroup(search: VmsSearch, ids: readonly number[], id: number): VmsSearch {
  const expanded = openGroups(search, ids)
  const next = expanded.includes(id) ? expanded.filter((other) => other !== id) : [...expanded, id]
  return { ...search, open: next.length > 0 ? next : [NONE] }
}

/** Selects stations; their first group is expanded. */
export const searchForStations = (locations: readonly number[]): VmsSearch =>
  locations.length > 0 ? { locations: [...locations] } : {}
