import * as upkeep from '@rogatka/contract/locations-upkeep.ts'
import * as tickets from '@rogatka/contract/tickets.ts'
import * as endpoints from '@rogatka/contract/tickets-health.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { extractPages, fetchReport, parseCsv, readSheets } from '../reports/testing.ts'
import { type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { insertTicket } from './queries.ts'

const MINUTE = 60_000
const OCTOBER = { year: 2026, month: 10 }
type Times = [from: string, to: string | null]

const job = (api: TestApi, name: string) => api.app.jobs.recurring.find((one) => one.name === name)?.work()

const addStation = async (
  api: TestApi,
  id: number,
  shortName: string,
  addedAt: string,
  firstVehicle: string | null,
) => {
  const station = await api.station({ ...testStation, id, shortName })
  await api.db.execute(sql`update location set added_at = ${new Date(addedAt)}::timestamptz where id = ${id}`)
  if (firstVehicle === null) return
  const before = api.clock.now
  api.clock.now = new Date(Date.parse(firstVehicle) + 1_000)
  await send(station, [{ ...car(id * 1_000), axles: null, createdAt: new Date(firstVehicle).toISOString() }])
  api.clock.now = before
}

/** A failure that was found ten minutes after the last vehicle. */
const addFailure = async (api: TestApi, locationId: number, [silent, ended]: Times, kind = 'station-silent') => {
  const begun = new Date(Date.parse(silent) + 10 * MINUTE)
  const evidence = { lastVehicleTime: kind === 'station-silent' ? new Date(silent).toISOString() : null }
  await api.db.execute(sql`
    insert into station_failure (location_id, lane_number, kind, begun_at, ended_at, evidence)
    values (${locationId}, 0, ${kind}, ${begun}::timestamptz, ${ended && new Date(ended)}::timestamptz,
            ${JSON.stringify(evidence)}::jsonb)`)
}

/** Independent of the server: looks at every minute of October 2026 in Poland, and in which of the times it is. */
function recount(since: string, now: string, times: { outages: Times[]; stops: Times[]; gaps: Times[] }) {
  const isIn = (at: number, all: Times[]) =>
    all.some(([from, to]) => at >= Date.parse(from) && (to === null || at < Date.parse(to)))
  let [counted, normal] = [0, 0]
  for (let at = Date.parse('2026-10-01T00:00+02:00'); at < Date.parse('2026-11-01T00:00+01:00'); at += MINUTE) {
    if (at < Date.parse(since) || at >= Date.parse(now) || isIn(at, times.stops) || isIn(at, times.gaps)) continue
    counted++
    if (!isIn(at, times.outages)) normal++
  }
  return { countedMinutes: counted, normalMinutes: normal }
}

test('availability equals a recount of each minute, over a clock change and all kinds of interruptions', async () => {
  const api = await testApi()
  await addStation(api, 1, 'S1 Wiele awarii', '2026-09-01T00:00Z', '2026-09-02T00:00Z')
  await addStation(api, 2, 'S2 Nowa', '2026-10-12T09:00Z', '2026-10-13T04:20Z')
  await addStation(api, 3, 'S3 Zamykana', '2026-09-01T00:00Z', '2026-09-02T00:00Z')
  await addStation(api, 4, 'S4 Nie zaczęła', '2026-10-20T10:00Z', null)
  await addStation(api, 5, 'S5 Zamknięta', '2026-09-01T00:00Z', '2026-09-02T00:00Z')

  // Began before the month; overlapping; over the night of the clock change; still open.
  const outages: Times[] = [
    ['2026-09-28T12:00Z', '2026-10-02T03:17Z'],
    ['2026-10-05T08:00Z', '2026-10-05T11:00Z'],
    ['2026-10-05T10:30Z', '2026-10-05T12:45Z'],
    ['2026-10-08T02:00Z', '2026-10-08T06:00Z'],
    ['2026-10-24T20:11Z', '2026-10-25T04:03Z'],
    ['2026-10-28T05:00Z', null],
  ]
  for (const outage of outages) await addFailure(api, 1, outage)
  // Not about the connection.
  await addFailure(api, 1, ['2026-10-15T00:00Z', '2026-10-16T00:00Z'], 'images-missing')
  const ofClosed: Times[] = [['2026-10-09T20:00Z', '2026-10-10T20:00Z']]
  for (const outage of ofClosed) await addFailure(api, 3, outage)
  await addFailure(api, 4, ['2026-10-21T09:50Z', null])

  // The portal did not run for two and a half hours.
  await api.db.execute(sql`
    update station_watch set watched_since = '2026-09-01T00:00Z', checked_at = '2026-10-08T03:00Z'`)
  api.clock.now = new Date('2026-10-08T05:30Z')
  await job(api, 'watch-silence')
  const gaps: Times[] = [['2026-10-08T03:00Z', '2026-10-08T05:30Z']]

  const closed = async (id: number, at: string) => {
    api.clock.now = new Date(at)
    const admin = await api.as('UsersAdmin')
    expect((await admin.call(upkeep.closeStation, { params: { id }, body: { reason: 'przebudowa' } })).status).toBe(200)
  }
  await closed(5, '2026-09-20T00:00Z')
  await closed(3, '2026-10-10T10:00Z')
  api.clock.now = new Date('2026-10-14T16:30Z')
  await (await api.as('UsersAdmin')).call(upkeep.reopenStation, { params: { id: 3 } })
  const stops: Times[] = [['2026-10-10T10:00Z', '2026-10-14T16:30Z']]

  const found = async (now: string) => {
    api.clock.now = new Date(now)
    const user = await api.as('Tickets')
    return (await user.call(endpoints.availability, { query: OCTOBER })).body
  }
  for (const now of ['2026-10-29T13:37Z', '2026-11-03T08:00Z']) {
    const { stations, total } = await found(now)
    expect(stations.map(({ location }) => location.id)).toEqual([1, 2, 3, 4])
    const expected = [
      recount('2026-09-02T00:00Z', now, { outages, stops: [], gaps }),
      // From the hour of its first vehicle.
      recount('2026-10-13T04:00Z', now, { outages: [], stops: [], gaps }),
      recount('2026-09-02T00:00Z', now, { outages: ofClosed, stops, gaps }),
    ]
    for (const [i, counts] of expected.entries()) {
      expect(stations[i], `station ${i + 1} at ${now}`).toMatchObject({
        ...counts,
        percent: Math.floor((1_000 * counts.normalMinutes) / counts.countedMinutes) / 10,
      })
    }
    expect(stations[3]).toMatchObject({ countedMinutes: 0, normalMinutes: 0, percent: null })
    const sum = (of: (counts: (typeof expected)[number]) => number) => expected.reduce((all, one) => all + of(one), 0)
    expect(total).toMatchObject({
      countedMinutes: sum(({ countedMinutes }) => countedMinutes),
      normalMinutes: sum(({ normalMinutes }) => normalMinutes),
    })
    expect(stations[2]?.stoppedMinutes).toBe(
      (Date.parse('2026-10-14T16:30Z') - Date.parse('2026-10-10T10:00Z')) / MINUTE,
    )
    expect(stations[0]?.unwatchedMinutes).toBe(150)
  }

  // The whole month has an hour more than 31 days.
  const { stations } = await found('2026-11-03T08:00Z')
  expect(stations[0]?.countedMinutes).toBe((31 * 24 + 1) * 60 - 150)
  // The worst state of each day, by its first letter.
  const days = (id: number) =>
    stations
      .find(({ location }) => location.id === id)
      ?.days.map((state) => (state === 'none' ? '-' : state[0]))
      .join('')
  expect(days(1)).toBe('ffnnfnnfnnnnnnffnnnnnnnffnnffff')
  expect(days(2)).toBe(`${'-'.repeat(12)}${'n'.repeat(19)}`)
  expect(days(3)).toBe('nnnnnnnnff---nnnnnnnnnnnnnnnnnn')
  expect(days(4)).toBe(`${'-'.repeat(19)}a${'f'.repeat(11)}`)
})

test('downloads a month as PDF, XLSX and CSV, and marks what is below the contract', async () => {
  const api = await testApi()
  await addStation(api, 1, 'S1 Test', '2026-10-01T00:00Z', '2026-10-01T04:00Z')
  await addStation(api, 2, 'S2 Test', '2026-10-01T00:00Z', '2026-10-01T04:00Z')
  await api.db.execute(sql`update station_watch set watched_since = '2026-10-01T00:00Z'`)
  // 10 days, of which half a day without a connection.
  await addFailure(api, 2, ['2026-10-03T00:00Z', '2026-10-03T12:00Z'])
  api.clock.now = new Date('2026-10-11T04:00Z')
  const admin = await api.as('UsersAdmin')
  const settings = { autoOpen: true, autoClose: false }
  await admin.call(endpoints.changeHealthSettings, { body: { ...settings, contractPercent: 98 } })
  // Without it in the body it stays.
  expect((await admin.call(endpoints.changeHealthSettings, { body: settings })).body.contractPercent).toBe(98)
  const tooHigh = { ...settings, contractPercent: 100.1 }
  expect((await admin.call(endpoints.changeHealthSettings, { body: tooHigh })).errors).toMatchObject([
    { path: 'contractPercent', code: 'value-too-large' },
  ])

  const user = await api.as('Tickets')
  const { body } = await user.call(endpoints.availability)
  expect(body).toMatchObject({ year: 2026, month: 10, contractPercent: 98, total: { percent: 97.5 } })
  expect(body.stations.map(({ percent, isBelowContract }) => [percent, isBelowContract])).toEqual([
    [100, false],
    [95, true],
  ])
  const download = async (reportType: 'pdf' | 'xlsx' | 'csv') => {
    const { body } = await user.call(endpoints.availabilityReport, { query: { ...OCTOBER, reportType } })
    return fetchReport(user, body)
  }
  const csv = await download('csv')
  expect(csv.headers['content-disposition']).toBe('attachment; filename="availability_10_2026.csv"')
  expect(parseCsv(csv.bytes)).toEqual([
    [
      'Stacja',
      'Czas liczony [min]',
      'Łączność w normie [min]',
      'Brak łączności [min]',
      'Planowe wyłączenia [min]',
      'Bez nadzoru [min]',
      'Dostępność [%]',
    ],
    ['S1 Test', '14400', '14400', '0', '0', '0', '100,0'],
    ['S2 Test', '14400', '13680', '720', '0', '0', '95,0'],
  ])
  const [sheet] = await readSheets((await download('xlsx')).bytes)
  expect(sheet?.rows.slice(1)).toEqual([
    ['S1 Test', 14400, 14400, 0, 0, 0, 100],
    ['S2 Test', 14400, 13680, 720, 0, 0, 95],
  ])
  const text = (await extractPages((await download('pdf')).bytes)).join(' ').replace(/\s+/g, ' ')
  expect(text).toContain('S2 Test 10 d 9 d 12 h 12 h 0 min 0 min 95,0')
  expect(text).toContain('Dostępność razem 97,5 % Wymagana umową 98,0 %')
})

test('the monthly report keeps its pages and gains the availability as an annex', async () => {
  const api = await testApi()
  await addStation(api, 1, 'S1 Test', '2026-10-01T00:00Z', null)
  await api.db.execute(sql`update station_watch set watched_since = '2026-10-01T00:00Z'`)
  await addFailure(api, 1, ['2026-10-03T00:00Z', '2026-10-03T12:00Z'])
  const ticket = { title: 'Brak łączności', description: 'Od rana', status: 'closed' as const, handleBy: null }
  const nobody = { userId: null, reporterName: null, reporterEmail: null, about: null }
  const times = { createdAt: new Date('2026-10-03T00:10Z'), closedAt: new Date('2026-10-03T12:00Z') }
  await insertTicket(api.db, null, { ...ticket, ...nobody, ...times })
  api.clock.now = new Date('2026-10-11T04:00Z')
  const user = await api.as('Tickets')
  const pages = async () => {
    const { body } = await user.call(tickets.report, { query: OCTOBER })
    const texts = await extractPages((await fetchReport(user, body)).bytes)
    // The number of the report, and that of all pages, differ.
    return texts.map((page) =>
      page
        .replace(/\s+/g, ' ')
        .replace(/[\dA-F]{4}-[\dA-F]{4}/g, 'R')
        .replace(/strona 1 z *\d+/, 'strona 1 z n'),
    )
  }
  await api.db.execute(sql`update station_watch set watched_since = null`)
  const alone = await pages()
  await api.db.execute(sql`update station_watch set watched_since = '2026-10-01T00:00Z'`)
  const both = await pages()
  expect(alone).toHaveLength(1)
  expect(both).toHaveLength(2)
  expect(both[0]).toBe(alone[0])
  expect(both[0]).toContain('Wykonawca')
  expect(both[1]).toContain('Dostępność stacji – październik 2026')
  expect(both[1]).not.toContain('Wykonawca')
})
