/** What a cell of a spreadsheet may be; a Date becomes the clock of Warsaw. */
export type Cell = string | number | Date | null

/** A column of a spreadsheet. */
export type Column<Row> = {
  title: string
  value: (row: Row) => Cell
  /** Of numbers, after the decimal mark. */
  decimals?: number
  /** In characters. */
  width: number
  /** Whether a cell is red: a violation. */
  isRed?: (row: Row) => boolean
}

/** Rows as a cursor brings them, some at a time. */
export type RowBatches<Row> = AsyncIterable<readonly Row[]>
