import { report, type WireArchiveFilters } from '@rogatka/contract/archive.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import { raw, sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { fetchReport } from '../reports/testing.ts'
import { type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { runImport, tryFile } from './testing.ts'

/*
 * Vehicles of random categories, lanes, axles and times, also of the double hour in autumn. With more of them:
 * ROUND_TRIP_VEHICLES=100000 npx vitest run api/src/imports/round-trip.test.ts
 */
const VEHICLES = Number(process.env.ROUND_TRIP_VEHICLES ?? 1_000)
const BATCH = 500
const FROM = Date.parse('2026-10-24T20:00:00Z')
const TO = Date.parse('2026-10-25T06:00:00Z')
const NOW = new Date('2026-10-26T12:00:00Z')
const RANGE = { dateTimeStart: new Date(FROM).toISOString(), dateTimeEnd: new Date(TO).toISOString(), locations: '7' }

async function portal() {
  const api = await testApi()
  api.clock.now = NOW
  const station = await api.station(testStation)
  return { api, station, user: await api.as('Exchange', 'ArchiveMeasurements') }
}

async function exportW(
  user: Awaited<ReturnType<typeof portal>>['user'],
  reportType: 'w-2013' | 'w-2001' | 'w-2001-us',
) {
  const query = { ...RANGE, reportType } as WireArchiveFilters & { reportType: typeof reportType }
  const { body } = await user.call(report, { query: query as never })
  const { bytes, headers } = await fetchReport(user, body)
  expect(headers['content-disposition']).toMatch(/archive_w_.*\.txt/)
  return bytes.toString('latin1')
}

/** Station, direction, lane and hour of a record: only within them an order is known. */
const GROUP_LENGTH = 21

/** The records of each station, direction, lane and hour, in their order. */
const byLaneAndHour = (text: string) =>
  [...Map.groupBy(text.split('\r\n'), (line) => line.slice(0, GROUP_LENGTH))].sort(([a], [b]) => (a < b ? -1 : 1))

/** What a record has of a vehicle, by lane and local hour, in the order of time. */
const recordedValues = ({ db }: TestApi) =>
  db.query<{ key: string }>(sql`
    select concat_ws(' ', v.lane_number, v.total_load, v.number_of_axles,
             to_char(v.created_at at time zone 'Europe/Warsaw', 'YYYY-MM-DD HH24')) as key
    from vehicle v
    order by v.lane_number, to_char(v.created_at at time zone 'Europe/Warsaw', 'YYYY-MM-DD HH24'), v.created_at, v.id`)

test('W records are the same vehicles when imported again, and the same records when exported again', async () => {
  const { api, station, user } = await portal()
  const random = seededRandom(17)
  for (let sequence = 1; sequence <= VEHICLES; sequence += BATCH) {
    const vehicles = Array.from({ length: Math.min(BATCH, VEHICLES - sequence + 1) }, (_, index) =>
      car(sequence + index, {
        createdAt: new Date(FROM + random.below(TO - FROM)).toISOString(),
        laneNumber: 1 + random.below(2),
        ctg8p1: random.pick([10, 7, 2, 11, 3, 8, 9, 5, 0]),
        axles: Array.from({ length: 1 + random.below(13) }, (_, axle) => ({
          leftWeight: 1 + random.below(15_000),
          rightWeight: random.below(15_000),
          gap: axle === 0 ? 0 : 1 + random.below(3_000),
        })),
      }),
    )
    expect((await send(station, vehicles)).body).toMatchObject({ accepted: vehicles.length, rejected: [] })
  }
  const written = await exportW(user, 'w-2013')
  const lines = written.split('\r\n').slice(0, -1)
  expect(lines).toHaveLength(VEHICLES)
  expect(lines.filter((line) => line.length !== 147)).toEqual([])
  const before = await recordedValues(api)

  const other = await portal()
  const tried = await tryFile(other.api, other.user, written)
  expect(tried.trial).toMatchObject({ rows: VEHICLES, new: VEHICLES, refused: 0 })
  expect(await runImport(other.api, other.user, tried.id)).toMatchObject({ state: 'done', written: VEHICLES })
  expect(byLaneAndHour(await exportW(other.user, 'w-2013'))).toEqual(byLaneAndHour(written))
  const after = await recordedValues(other.api)
  expect(after.filter(({ key }, at) => key !== before[at]?.key)).toEqual([])
  const [sums] = await other.api.db.query(raw('select sum(total_load)::bigint as sum from vehicle'))
  expect(sums).toEqual((await api.db.query(raw('select sum(total_load)::bigint as sum from vehicle')))[0])

  for (const layout of ['w-2001', 'w-2001-us'] as const) {
    const old = await exportW(user, layout)
    const again = await tryFile(other.api, other.user, old)
    expect(again).toMatchObject({ options: { format: 'w2001' }, trial: { rows: VEHICLES } })
    // In tenths of a foot and hundreds of pounds a file cannot say which units it has.
    if (layout === 'w-2001') expect(again.trial?.refused).toBe(0)
  }
}, 3_600_000)
