import type { Division, StatName } from '@rogatka/contract/options.ts'
import { type SeriesSelection, seriesOf, seriesOfKey, UNKNOWN } from './series.ts'
import { add, EMPTY_SUMS, figureOf, type Sums } from './sums.ts'

/** Vehicles of one period in the finest grouping of the database; `key` is the grouping key. */
export type Cell = { period: number; key: number } & Sums

export type TabulateQuery = {
  statName: StatName
  groupBy: Division
  /** Starts of the periods, and the end of the last one. */
  starts: readonly Date[]
  end: Date
  /** Length of each period, ms, if only a part of it is counted; 0: nothing is. Default: up to the next start. */
  lengths?: readonly number[] | undefined
}

export type Table = {
  groups: { value: string; series: (number | null)[]; summary: number | null }[]
  /** Summary per period; every vehicle counts once. */
  summaries: (number | null)[]
  summary: number | null
}

/** Length of each period, ms. */
export const lengthsOf = (starts: readonly Date[], end: Date): number[] =>
  starts.map((start, i) => (starts[i + 1] ?? end).getTime() - start.getTime())

/** Numbers first, in numerical order, then texts. */
export const byNumber = (a: string, b: string): number => Number(a) - Number(b) || a.localeCompare(b)

/** Statistics of one location by series and period, and in total with every vehicle once. */
export function tabulate(
  { statName, groupBy, starts, end, lengths = lengthsOf(starts, end) }: TabulateQuery,
  selection: SeriesSelection,
  cells: readonly Cell[],
): Table {
  const fixedSeries = seriesOf(groupBy, selection)
  const bySeries = new Map(fixedSeries.map((value) => [value, new Map<number, Sums>()]))
  const rows = new Map<number, Sums>()
  const addCell = (sums: Map<number, Sums>, cell: Cell) =>
    sums.set(cell.period, add(sums.get(cell.period) ?? EMPTY_SUMS, cell))

  for (const cell of cells) {
    for (const value of seriesOfKey(groupBy, cell.key)) {
      // Only selected violations are shown; lanes and categories in the data are always shown.
      if (groupBy === 'violation' && !bySeries.has(value)) continue
      if (!bySeries.has(value)) bySeries.set(value, new Map())
      addCell(bySeries.get(value) as Map<number, Sums>, cell)
    }
    addCell(rows, cell)
  }

  // An empty range has no vehicles, unlike one of which nothing is counted.
  const rangeLength = lengths.length === 0 ? 1 : lengths.reduce((sum, length) => sum + length, 0)
  const figures = (sums: Map<number, Sums>) =>
    lengths.map((length, period) => figureOf(statName, sums.get(period) ?? EMPTY_SUMS, length))
  const total = (sums: Map<number, Sums>) => figureOf(statName, [...sums.values()].reduce(add, EMPTY_SUMS), rangeLength)

  const values = [...bySeries.keys()]
  const known = groupBy === 'lane' ? values.sort(byNumber) : values
  const ordered = [...known.filter((value) => value !== UNKNOWN), ...known.filter((value) => value === UNKNOWN)]
  return {
    groups: ordered.map((value) => {
      const sums = bySeries.get(value) as Map<number, Sums>
      return { value, series: figures(sums), summary: total(sums) }
    }),
    summaries: figures(rows),
    summary: total(rows),
  }
}
