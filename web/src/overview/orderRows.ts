import { chainageKm, compareRoads } from '@rogatka/domain/overview/roads.ts'
import { type OverviewRow, rowStateOf } from './useOverview.ts'

/** Up to this number of stations all are strips; with more each road is a line. */
export const MAX_STRIPS = 12

export type Road = { name: string; rows: OverviewRow[] }

/** Whether the row has a mark. */
export const isAbnormal = (row: OverviewRow): boolean => !['working', 'unknown'].includes(rowStateOf(row))

const byChainage = (a: OverviewRow, b: OverviewRow) =>
  (chainageKm(a.location.chainage) ?? 0) - (chainageKm(b.location.chainage) ?? 0) || a.id - b.id

/** By road and chainage; `isUnusualFirst`: those with marks before the others. */
export const orderRows = (rows: readonly OverviewRow[], isUnusualFirst: boolean): OverviewRow[] =>
  rows.toSorted(
    (a, b) =>
      (isUnusualFirst ? Number(isAbnormal(b)) - Number(isAbnormal(a)) : 0) ||
      compareRoads(a.location.roadNumber, b.location.roadNumber) ||
      byChainage(a, b),
  )

/** The roads with their stations by chainage. */
export function roadsOf(rows: readonly OverviewRow[], isUnusualFirst: boolean): Road[] {
  const roads = Map.groupBy(rows.toSorted(byChainage), ({ location }) => location.roadNumber)
  return [...roads]
    .map(([name, ofRoad]) => ({ name, rows: ofRoad }))
    .sort(
      (a, b) =>
        (isUnusualFirst ? Number(b.rows.some(isAbnormal)) - Number(a.rows.some(isAbnormal)) : 0) ||
        compareRoads(a.name, b.name),
    )
}
