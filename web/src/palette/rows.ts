import type { ReactNode } from 'react'
import type { PaletteEntry } from '../core/paletteEntries.ts'
import { findMatch, type Range } from './match.ts'

/** An entry of any group, as it is listed. */
export type Row = PaletteEntry & {
  /** Further words by which it is found. */
  terms?: string
  /** In place of the icon. */
  mark?: ReactNode
  /** In place of the label, which it repeats, for example a drawn plate. */
  drawing?: ReactNode
  /** After the label. */
  detail?: string
  ranges?: readonly Range[]
  /** Where it is kept as recently used: in this browser, only until the session ends, or nowhere. */
  kept?: 'session' | 'never'
}

export type Group = { name: 'plates' | 'stations' | 'users' | 'pages' | 'actions' | 'recent'; rows: readonly Row[] }

const MAX_IN_GROUP = 3
const MAX_ROWS = 8

/** The rows that match, best first; rows of equal rank keep their order. */
export const matchingRows = (rows: readonly Row[], search: string): Row[] =>
  rows
    .flatMap((row) => {
      const match = findMatch(search, row.label, row.terms)
      return match ? [{ row: { ...row, ranges: match.ranges }, rank: match.rank }] : []
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ row }) => row)

/** At most 3 rows of a group and 8 in all: the first of each group, then the second of each, and so on. */
export function limitRows(groups: readonly Group[]): Group[] {
  const counts = groups.map(() => 0)
  let left = MAX_ROWS
  for (let round = 0; round < MAX_IN_GROUP; round++)
    for (const [at, { rows }] of groups.entries()) {
      if (left === 0 || rows.length <= round) continue
      counts[at] = round + 1
      left--
    }
  return groups.flatMap((group, at) => (counts[at] ? [{ ...group, rows: group.rows.slice(0, counts[at]) }] : []))
}
