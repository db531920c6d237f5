import { addTag, archiveFilters, report } from '@rogatka/contract/archive.ts'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { type Language, languages } from '@rogatka/contract/languages.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import type { Pool } from '../core/database.ts'
import { daysBetween } from '../core/partitions.ts'
import { sql } from '../core/statement.ts'
import { send } from '../ingest/testing.ts'
import { csv } from '../reports/public-api.ts'
import { collectBytes, fetchReport, parseCsv } from '../reports/testing.ts'
import { type Client, testApi } from '../testing/test-api.ts'
import { ensureVehiclePartitions } from '../vehicle/maintenance.ts'
import { toRows } from './report-rows.ts'
import { sheetColumns } from './report-sheet.ts'
import { listedRows } from './search.ts'
import { anyMeasurement, stationWithId } from './testing.ts'

/*
 * The CSV list is formatted from texts of the database. XLSX and PDF use parsed vehicles: written as CSV by the same
 * columns, they must result in the same bytes.
 */

type Query = WireOf<typeof report, 'query'>
type User = Client & { userId: number; permissions: string[] }

const [FROM, TO] = [new Date('2026-10-17T00:00:00Z'), new Date('2026-10-20T08:00:00Z')]
const WHOLE_YEAR = { dateTimeStart: '2026-01-01T00:00:00Z', dateTimeEnd: '2027-01-01T00:00:00Z', locations: '1,2,3' }

async function reportOf(user: Client, query: Omit<Query, 'reportType'>, language: Language): Promise<Buffer> {
  const headers = { 'accept-language': language }
  const { body } = await user.call(report, { query: { ...query, reportType: 'csv' } as Query, headers })
  return (await fetchReport(user, body)).bytes
}

/** The same from parsed vehicles. */
function expectedOf(db: Pool, user: User, query: Omit<Query, 'reportType'>, language: Language): Promise<Buffer> {
  const withTags = query.withTags === true
  const { columns } = sheetColumns(language, { withTags, withImages: false })
  const search = { ...archiveFilters.parse(query), withAxles: true, withTags }
  return collectBytes(csv(columns, toRows(listedRows(db, search, user)), language))
}

/** Texts that have to be quoted or escaped, in the database, in CSV or in a spreadsheet. */
const TEXTS = [
  '',
  ' ',
  ',',
  ';',
  '"',
  '""',
  '\\',
  '\\"',
  '"\\"',
  '(a)',
  '{1,2}',
  'a b',
  'a;"b"\r\nc',
  'line\nbreak',
  'tab\t',
  '=1+1',
  '+48',
  '-5,5',
  '-x',
  '@A1',
  '\t=1',
  '＝1',
  'zażółć',
  '💥',
  'null',
  'NULL',
]
const TIMES = [
  '2026-03-29T00:59:59.999Z',
  '2026-03-29T01:00:00.000Z',
  '2026-10-25T00:30:00.001Z',
  '2026-10-25T00:59:59.999Z',
  '2026-10-25T01:00:00.000Z',
  '2026-10-25T01:30:00.010Z',
  '2026-12-31T23:00:00.100Z',
  '2026-02-28T22:59:59.120Z',
]
const MAX_SMALLINT = 32_767
const MAX_INT = 2_147_483_647

/** Rows that ingest would not accept, to cover everything that the columns can hold. */
async function insertExtremes(db: Pool): Promise<number> {
  await ensureVehiclePartitions(db, daysBetween(new Date('2026-01-01'), new Date('2026-12-31T23:59:59Z')), 'month')
  const axle = [1, -1, -1, 0, 0, 0]
  const axleLists = [
    null,
    [],
    axle,
    ...[2, 8, 9, 10, 11, 14].map((axles) => Array(axles).fill([1, 3_500, 3_600, 130, 10_000, 12]).flat()),
  ]
  const numbers = [null, 0, 1, -1, 9, 10, -10, 12_345, MAX_SMALLINT, -MAX_SMALLINT]
  const classes = [null, 'A(5)', 'B+(7)', 'B(10)', 'C(15)', 'D+(20)', 'D(25)']
  const pick = <T>(values: readonly T[], at: number) => values[at % values.length] as T
  const rows = 180
  for (let n = 0; n < rows; n++) {
    const at = pick(TIMES, n)
    const number = pick(numbers, n)
    const load = pick([null, 0, -1, 40_000, 11_507, MAX_INT], n)
    await db.execute(sql`
      insert into vehicle (location_id, id, created_at, lane_number, plate_lpr, nationality, ctg8p1, ctg323, speed,
                           speed_limit, total_load, limit_total_load, overload_tl, overload_sa, overload_ma, veh_length,
                           limit_length, veh_height, limit_height, number_of_axles, violations)
      values (${1 + (n % 3)}, ${1_000_000 + n}, ${at}::timestamptz, ${n % 7}, ${pick([null, ...TEXTS], n)},
              ${pick([...TEXTS, null], n)}, ${n % 12}, ${number}, ${number}, ${number}, ${load}, ${load},
              ${pick(numbers, n + 1)}, ${pick(numbers, n + 2)}, ${pick(numbers, n + 3)}, ${number}, ${number}, ${number},
              ${number}, ${number}, ${n % 32})`)
    if (n % 11 === 0) continue
    await db.execute(sql`
      insert into vehicle_detail (location_id, id, created_at, accuracy_class, axles)
      values (${1 + (n % 3)}, ${1_000_000 + n}, ${at}::timestamptz, ${pick(classes, n)}, ${pick(axleLists, n)})`)
  }
  return rows
}

async function filled() {
  const api = await testApi()
  const names = { shortName: '=cmd|"/c calc";\r\nA1', roadNumber: '"S8"', chainage: '+1;2', direction: 'Łódź \\ \n"x"' }
  await api.station({ ...stationWithId(1), ...names })
  await api.station(stationWithId(2))
  const station = await api.station(stationWithId(3))
  const random = seededRandom(20_261_123)
  const sent = Array.from({ length: 400 }, (_, index) => anyMeasurement(index + 1, FROM, TO, random))
  expect((await send(station, sent)).body.accepted).toBe(400)
  const rows = 400 + (await insertExtremes(api.db))
  const user = await api.as('ArchiveMeasurements')
  for (const sequence of [3, 4]) {
    const options = { params: { id: vehicleId(3, sequence) }, query: { locationId: 3 }, body: {} }
    expect((await user.call(addTag, options)).status).toBe(200)
  }
  return { api, user, rows }
}

test('a CSV equals that of parsed vehicles byte for byte, in every language', async () => {
  const { api, user, rows } = await filled()
  for (const language of languages) {
    const bytes = await reportOf(user, WHOLE_YEAR, language)
    expect(parseCsv(bytes)).toHaveLength(1 + rows)
    expect(bytes.equals(await expectedOf(api.db, user, WHOLE_YEAR, language)), language).toBe(true)
  }
})

test('with tags, filters, other orders or anonymised, too', async () => {
  const { api, user } = await filled()
  const anonymised = await api.as('ArchiveMeasurements', 'Anonymization')
  const lines = new Set<number>()
  const compare = async (who: User, options: Omit<Query, 'reportType'>) => {
    const query = { ...WHOLE_YEAR, ...options }
    const bytes = await reportOf(who, query, 'pl')
    const rows = parseCsv(bytes)
    expect(bytes.equals(await expectedOf(api.db, who, query, 'pl')), JSON.stringify(query)).toBe(true)
    lines.add(rows.length)
    return rows.flat()
  }
  const tagged = await compare(user, { withTags: true })
  expect(tagged.filter((cell) => cell === 'tak').length).toBeGreaterThan(
    (await compare(user, {})).filter((cell) => cell === 'tak').length,
  )
  await compare(user, { withTags: true, taggedOnly: true })
  await compare(user, { overspeed: true, minTotalLoad: 1, ctg8p1: '7,lack' })
  await compare(user, { plateLpr: 'WX*' })
  await compare(user, { orderByColumnName1: 'totalLoad', orderDirection1: 'asc', orderByColumnName2: 'plateLpr' })
  await compare(user, { orderByColumnName1: 'locationId', orderDirection1: 'desc' })
  await compare(user, { locations: '9' })
  const masked = await compare(anonymised, { withTags: true })
  expect(masked.filter((cell) => /^WX\*+$/.test(cell)).length).toBeGreaterThan(10)
  expect(masked.filter((cell) => /^WX\w{3,}/.test(cell))).toEqual([])
  expect(lines.size).toBeGreaterThanOrEqual(4)
})
