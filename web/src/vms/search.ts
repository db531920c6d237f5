/** What the address of the signs holds: the stations whose groups are shown, and the groups that stand open. */
export type VmsSearch = {
  /** Absent: all stations. */
  locations?: number[] | undefined
  /** Absent: the first group alone. */
  open?: number[] | undefined
}

/** Stands in the address for no open group at all: a group's number is never 0. */
const NONE = 0

const numbers = (value: unknown): number[] | undefined => {
  const found = String(value ?? '')
    .split(',')
    .filter((part) => /^\d{1,15}$/.test(part))
    .map(Number)
  return found.length > 0 ? [...new Set(found)] : undefined
}

/** Reads the address; what is malformed is left out. */
export const readVmsSearch = ({ locations, open }: Record<string, unknown>): VmsSearch => ({
  locations: numbers(locations),
  open: numbers(open),
})

/** The groups that stand open: those of the address, else the first. */
export const openGroups = ({ open }: VmsSearch, ids: readonly number[]): number[] =>
  open ? ids.filter((id) => open.includes(id)) : ids.slice(0, 1)

/** The address after a click on a group's head. */
export function toggleGroup(search: VmsSearch, ids: readonly number[], id: number): VmsSearch {
  const now = openGroups(search, ids)
  const then = now.includes(id) ? now.filter((other) => other !== id) : [...now, id]
  return { ...search, open: then.length > 0 ? then : [NONE] }
}

/** The address after a choice of stations: their first group stands open. */
export const chooseStations = (locations: readonly number[]): VmsSearch =>
  locations.length > 0 ? { locations: [...locations] } : {}
