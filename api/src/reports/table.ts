/** A spreadsheet cell; a Date is shown in Warsaw time. */
export type Cell = string | number | Date | null

/** A column of a spreadsheet. */
export type Column<Row> = {
  title: string
  value: (row: Row) => Cell
  /** Number of decimals. */
  decimals?: number
  /** In characters. */
  width: number
  /** Whether the cell is red, for violations. */
  isRed?: (row: Row) => boolean
}

/** A column that also has a name for programs, in English. */
export type DataColumn<Row> = Column<Row> & { name: string }

/** Rows in batches, as from a cursor. */
export type RowBatches<Row> = AsyncIterable<readonly Row[]>

/** All of a small result as the only part of a stream. */
export async function* inOneBatch<T>(part: T): AsyncGenerator<T> {
  yield part
}
