import { type DataColumn, inOneBatch, type ParquetColumn, parquet } from '../reports/public-api.ts'
import type { Row } from './distribution-rows.ts'

/** The columns of the CSV table, with the name of the station's number as in Parquet files of vehicles. */
const COLUMNS: readonly ParquetColumn<Row>[] = [
  { name: 'location_id', type: 'int32', value: ({ location }) => location.id },
  { name: 'station', type: 'string', value: ({ location }) => location.shortName },
  { name: 'figure', type: 'string', value: ({ figure }) => figure },
  { name: 'part', type: 'string', value: ({ part }) => (part === null ? null : String(part)) },
  { name: 'lanes', type: 'string', value: ({ lanes }) => lanes },
  { name: 'categories', type: 'string', value: ({ categories }) => categories },
  { name: 'from', type: 'double', value: ({ from }) => from },
  { name: 'to', type: 'double', value: ({ to }) => to },
  { name: 'bin_unit', type: 'string', value: ({ binUnit }) => binUnit },
  { name: 'value', type: 'double', value: ({ value }) => value },
  { name: 'unit', type: 'string', value: ({ unit }) => unit },
]

/** A Parquet file with a row for each figure or bin, its numbers unrounded; `filters`: texts that all rows have. */
export const figuresParquet = (rows: readonly Row[], filters: readonly DataColumn<Row>[]): AsyncGenerator<Buffer> =>
  parquet([...COLUMNS, ...filters.map(asText)], inOneBatch(rows))

const asText = ({ name, value }: DataColumn<Row>): ParquetColumn<Row> => ({
  name,
  type: 'string',
  value: (row) => {
    const text = value(row)
    return text === null ? null : String(text)
  },
})
