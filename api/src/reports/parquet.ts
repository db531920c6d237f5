import { zstdCompressSync } from 'node:zlib'
import type { SchemaElement } from 'hyparquet-writer'
import { createYielder } from './yielding.ts'

/**
 * A column by its Parquet type; every value may be null. `timestamp`: whole ms since the epoch (UTC); `int64`: a safe integer;
 * `int32-list`: a list without nulls, which may be empty.
 */
export type ParquetColumn<Row> = { name: string } & (
  | { type: 'timestamp' | 'int32' | 'int64' | 'double'; value: (row: Row) => number | null }
  | { type: 'string'; value: (row: Row) => string | null }
  | { type: 'int32-list'; value: (row: Row) => readonly number[] | null }
)

/** Rows of a row group: one column of them is encoded in some milliseconds, during which no other request is served. */
const GROUP_ROWS = 10_000

/** Streams a Parquet file, compressed with zstd, in constant memory. */
export async function* parquet<Row>(
  columns: readonly ParquetColumn<Row>[],
  batches: AsyncIterable<Iterable<Row>>,
): AsyncGenerator<Buffer> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
  const writer = new ByteWriter()
  const file = new ParquetWriter({
    writer,
    schema: schemaOf(columns),
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
  })
  const maybeYield = createYielder()
  let rows = 0

  /** Moves what was written out of the writer, which reuses its buffer and knows the position in the file by `offset`. */
  const takeBytes = () => {
    const bytes = Buffer.from(writer.getBytes())
    writer.index = 0
    return bytes
  }
  /** Writes each column as a row group of its own, to yield in between, and merges these. */
  const writeGroup = async (group: Row[]) => {
    for (const column of columns) {
      const data = group.map(encoderOf(column))
      await file.write({ columnData: [{ name: column.name, data, offsetIndex: false }], rowGroupSize: group.length })
      await maybeYield()
    }
    const parts = file.row_groups.splice(-columns.length)
    file.row_groups.push({
      columns: parts.flatMap((part) => part.columns),
      total_byte_size: parts.reduce((total, part) => total + part.total_byte_size, 0n),
      total_compressed_size: parts.reduce((total, part) => total + (part.total_compressed_size ?? 0n), 0n),
      num_rows: BigInt(group.length),
    })
    rows += group.length
  }

  // The file begins with its signature: the download begins at once.
  yield takeBytes()
  let group: Row[] = []
  for await (const batch of batches) {
    for (const row of batch) {
      group.push(row)
      const pause = maybeYield()
      if (pause) await pause
      if (group.length < GROUP_ROWS) continue
      await writeGroup(group)
      yield takeBytes()
      group = []
    }
  }
  if (group.length > 0) await writeGroup(group)
  // Not the values of all columns, which it has counted.
  file.num_rows = BigInt(rows)
  await file.finish()
  yield takeBytes()
}

function encoderOf<Row>({ type, value }: ParquetColumn<Row>): (row: Row) => unknown {
  if (type !== 'int64' && type !== 'timestamp') return value
  return (row) => {
    const number = value(row)
    return number === null ? null : BigInt(number)
  }
}

const schemaOf = <Row>(columns: readonly ParquetColumn<Row>[]): SchemaElement[] => [
  { name: 'root', num_children: columns.length },
  ...columns.flatMap(({ name, type }) => elementsOf(name, type)),
]

const INSTANT = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const

function elementsOf(name: string, type: ParquetColumn<never>['type']): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const
  if (type === 'timestamp') return [{ ...optional, type: 'INT64', logical_type: INSTANT }]
  if (type === 'string') return [{ ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' }]
  if (type === 'double') return [{ ...optional, type: 'DOUBLE' }]
  if (type !== 'int32-list') return [{ ...optional, type: type === 'int32' ? 'INT32' : 'INT64' }]
  return [
    { ...optional, converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', type: 'INT32' },
  ]
}
