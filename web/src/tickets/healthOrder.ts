import type { WireHealthCell, WireStationHealth } from '@rogatka/contract/tickets-health.ts'

/**
 * The stations in the order in which they are shown, so that no row moves under the pointer; new ones follow. Without former ids
 * in the order of the server.
 */
export function keepOrder(
  stations: readonly WireStationHealth[],
  former: readonly number[] | null,
): readonly WireStationHealth[] {
  if (!former) return stations
  const positionOf = (id: number) => (former.includes(id) ? former.indexOf(id) : former.length)
  return stations.toSorted((a, b) => positionOf(a.location.id) - positionOf(b.location.id))
}

type SelectedCell = { station: number; kind: WireHealthCell['kind'] }

/** A cell of the table with its station. */
export type ShownCell = { station: WireStationHealth; cell: WireHealthCell }

const isAbnormal = ({ level }: WireHealthCell) => level === 'failure' || level === 'attention'

/** The cells that are failures or need attention, in the order of the table. */
export const abnormalCells = (stations: readonly WireStationHealth[]): ShownCell[] =>
  stations.flatMap((station) => station.cells.filter(isAbnormal).map((cell) => ({ station, cell })))

/** The selected cell; without one the first that is not normal. */
export function shownCell(
  stations: readonly WireStationHealth[],
  selected: SelectedCell | null,
): ShownCell | undefined {
  const station = stations.find(({ location }) => location.id === selected?.station)
  const cell = station?.cells.find(({ kind }) => kind === selected?.kind)
  return station && cell ? { station, cell } : abnormalCells(stations)[0]
}

/** A failing check of a station. */
const keyOf = ({ station, cell }: ShownCell) => `${station.location.id} ${cell.kind}`

/** Failures that are new, and those that are over, since an earlier answer. Stations that were added or removed have none. */
export function healthNews(
  before: readonly WireStationHealth[],
  after: readonly WireStationHealth[],
): { begun: ShownCell[]; over: ShownCell[] } {
  const failing = (stations: readonly WireStationHealth[]) =>
    new Set(
      abnormalCells(stations)
        .filter(({ cell }) => cell.level === 'failure')
        .map(keyOf),
    )
  const [was, is] = [failing(before), failing(after)]
  const all = after.flatMap((station) => station.cells.map((cell) => ({ station, cell })))
  return {
    begun: all.filter((shown) => is.has(keyOf(shown)) && !was.has(keyOf(shown))),
    // A check that is not evaluated while the station is silent is not over.
    over: all.filter((shown) => was.has(keyOf(shown)) && !is.has(keyOf(shown)) && shown.cell.level !== 'unknown'),
  }
}
