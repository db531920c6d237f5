import type { Division, StatName } from '@rogatka/contract/statistics.ts'
import { type SeriesSelection, seriesOf, seriesOfKey, UNKNOWN } from './series.ts'
import { add, EMPTY_SUMS, figureOf, type Sums } from './sums.ts'

/** The vehicles of one period that the database did not divide further; `key` is what it divides by. */
export type Cell = { period: number; key: number } & Sums

export type TabulateQuery = {
  statName: StatName
  groupBy: Division
  /** Where the periods begin, and where the last one ends. */
  starts: readonly Date[]
  end: Date
}

export type Table = {
  groups: { value: string; series: (number | null)[]; summary: number | null }[]
  /** A summary for each period, of all vehicles of the row, each once. */
  summaries: (number | null)[]
  summary: number | null
}

/** Numbers first and in their order, then words. */
export const byNumber = (a: string, b: string): number => Number(a) - Number(b) || a.localeCompare(b)

/** The figures of one location: by series and period, and of all series together, each vehicle once. */
export function tabulate(
  { statName, groupBy, starts, end }: TabulateQuery,
  chosen: SeriesSelection,
  cells: readonly Cell[],
): Table {
  const standing = seriesOf(groupBy, chosen)
  const bySeries = new Map(standing.map((value) => [value, new Map<number, Sums>()]))
  const rows = new Map<number, Sums>()
  const sumUp = (sums: Map<number, Sums>, cell: Cell) =>
    sums.set(cell.period, add(sums.get(cell.period) ?? EMPTY_SUMS, cell))

  for (const cell of cells) {
    for (const value of seriesOfKey(groupBy, cell.key)) {
      // Of the violations only those asked for are shown; a lane or category that nobody listed is shown all the same.
      if (groupBy === 'violation' && !bySeries.has(value)) continue
      if (!bySeries.has(value)) bySeries.set(value, new Map())
      sumUp(bySeries.get(value) as Map<number, Sums>, cell)
    }
    sumUp(rows, cell)
  }

  const lengths = starts.map((start, i) => (starts[i + 1] ?? end).getTime() - start.getTime())
  const whole = lengths.reduce((sum, length) => sum + length, 0)
  const figures = (sums: Map<number, Sums>) =>
    lengths.map((length, period) => figureOf(statName, sums.get(period) ?? EMPTY_SUMS, length))
  const overall = (sums: Map<number, Sums>) => figureOf(statName, [...sums.values()].reduce(add, EMPTY_SUMS), whole)

  const values = [...bySeries.keys()]
  const known = groupBy === 'lane' ? values.sort(byNumber) : values
  const ordered = [...known.filter((value) => value !== UNKNOWN), ...known.filter((value) => value === UNKNOWN)]
  return {
    groups: ordered.map((value) => {
      const sums = bySeries.get(value) as Map<number, Sums>
      return { value, series: figures(sums), summary: overall(sums) }
    }),
    summaries: figures(rows),
    summary: overall(rows),
  }
}
