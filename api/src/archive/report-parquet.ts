import type { ArchiveFilters } from '@rogatka/contract/archive.ts'
import type { Pool } from '../core/database.ts'
import { parseRecord } from '../core/record-text.ts'
import type { Session } from '../core/sessions.ts'
import {
  type ParquetColumn,
  parquet,
  type ReportContext,
  type ReportFile,
  stampedName,
  type ZipEntry,
  zip,
} from '../reports/public-api.ts'
import { IN_ORDER_OF_TIME } from './filter.ts'
import { axlesFrom } from './list-vehicle.ts'
import { monthName, type StationMonth } from './months.ts'
import { listedRecords, monthsWithVehicles, type RecordBatch } from './search.ts'

/** The fields of a record of `selectRecords`, whose axles are parsed once for both columns. */
type Row = { fields: readonly string[]; axles: ReturnType<typeof axlesFrom> }

const integer = (name: string, field: number): ParquetColumn<Row> => ({
  name,
  type: 'int32',
  value: ({ fields }) => numberAt(fields, field),
})

function numberAt(fields: readonly string[], at: number): number | null {
  const text = fields[at] ?? ''
  return text === '' ? null : Number(text)
}

/**
 * Columns in the units of the database: kg, cm, km/h, overloads in tenths of a percent, violations as bits. There is no
 * plate and no nationality, whoever asks.
 */
const COLUMNS: readonly ParquetColumn<Row>[] = [
  { name: 'created_at', type: 'timestamp', value: ({ fields }) => Math.round(Number(fields[1])) },
  integer('location_id', 2),
  { name: 'id', type: 'int64', value: ({ fields }) => numberAt(fields, 0) },
  integer('lane', 3),
  integer('speed', 8),
  integer('length', 15),
  integer('height', 17),
  // 0: not classified.
  { name: 'ctg8p1', type: 'int32', value: ({ fields }) => numberAt(fields, 6) || null },
  integer('ctg323', 7),
  integer('total_load', 10),
  integer('limit_total_load', 11),
  integer('overload_sa', 13),
  integer('overload_ma', 14),
  integer('overload_tl', 12),
  integer('violations', 20),
  { name: 'accuracy_class', type: 'string', value: ({ fields }) => fields[21] || null },
  // Null without weights.
  {
    name: 'axle_load_kg',
    type: 'int32-list',
    value: ({ axles }) => (axles.length > 0 ? axles.map(({ totalLoad }) => totalLoad) : null),
  },
  // Between the axles: one fewer.
  {
    name: 'axle_gap_cm',
    type: 'int32-list',
    value: ({ axles }) => (axles.length > 0 ? axles.slice(1).map(({ gap }) => gap) : null),
  },
]

const toRow = (record: string): Row => {
  const fields = parseRecord(record)
  return { fields, axles: axlesFrom(fields[22] || null) }
}

async function* toRows(batches: AsyncIterable<RecordBatch>) {
  for await (const { records } of batches) yield Iterator.from(records).map(toRow)
}

type Caller = Pick<Session, 'userId' | 'permissions'>

/** The records of a search, limited to a month at a station. */
const recordsOf = (db: Pool, search: ArchiveFilters, { locationId, from, to }: StationMonth, caller: Caller) => {
  const part = { ...search, ...IN_ORDER_OF_TIME, locations: [locationId], dateTimeStart: from, dateTimeEnd: to }
  return listedRecords(db, part, caller)
}

/** A Parquet file of all vehicles of a station in a month (UTC). */
export function exportOfMonth(db: Pool, month: StationMonth, caller: Caller): ReportFile {
  const all = { ...IN_ORDER_OF_TIME, orderDirection2: 'asc', orderDirection3: 'asc' } as const
  const { locationId, from, to } = month
  const records = listedRecords(db, { ...all, locations: [locationId], dateTimeStart: from, dateTimeEnd: to }, caller)
  return { name: `vehicles_${locationId}_${monthName(from)}.parquet`, content: parquet(COLUMNS, toRows(records)) }
}

/**
 * A Parquet file of a search at one station within one month (UTC); otherwise a ZIP with a file for each station and month
 * that have vehicles, or with an empty one if none has.
 */
export async function renderParquet(
  { db, session, now, signal }: ReportContext,
  search: ArchiveFilters,
): Promise<ReportFile> {
  const { locations, dateTimeStart: from, dateTimeEnd: to } = search
  const [first = 0, ...others] = new Set(locations)
  const asked = { locationId: first, from, to }
  if (others.length === 0 && monthName(from) === monthName(new Date(to.getTime() - 1))) {
    const content = parquet(COLUMNS, toRows(recordsOf(db, search, asked, session)))
    return { name: stampedName('archive_vehicles', now, 'parquet'), content }
  }

  const months = await monthsWithVehicles(db, search, session, signal)
  async function* entries(): AsyncGenerator<ZipEntry> {
    let isEmpty = true
    for (const month of months) {
      const records = recordsOf(db, search, month, session)
      const start = await records.next()
      // Vehicles of other lanes or weights.
      if (start.done) continue
      isEmpty = false
      try {
        yield entryOf(month, prepend(start.value, records))
      } finally {
        // The content may never have been read.
        await records.return()
      }
    }
    if (isEmpty) yield entryOf(asked, prepend())
  }
  return { name: stampedName('archive_vehicles', now, 'zip'), content: zip(entries(), now) }
}

const entryOf = ({ locationId, from }: StationMonth, records: AsyncIterable<RecordBatch>): ZipEntry => ({
  name: `location=${locationId}/month=${monthName(from)}.parquet`,
  content: parquet(COLUMNS, toRows(records)),
  isCompressed: true,
})

async function* prepend<T>(start?: T, rest: AsyncIterable<T> | Iterable<T> = []): AsyncGenerator<T> {
  if (start !== undefined) yield start
  yield* rest
}
