import * as activity from '@rogatka/contract/activity.ts'
import type { WireAlarm } from '@rogatka/contract/alarms.ts'
import * as endpoints from '@rogatka/contract/alarms.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import * as inspections from '@rogatka/contract/inspections.ts'
import { overview } from '@rogatka/contract/overview.ts'
import { expect, test } from 'vitest'
import { insertScale } from '../certificates/queries.ts'
import { sql } from '../core/statement.ts'
import { requestStamp } from '../evidence/public-api.ts'
import { car, errorCodes, send } from '../ingest/testing.ts'
import { type Client, eventually, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { testSigns } from '../vms/testing.ts'
import { deleteAlarmsBefore } from './queries.ts'

/** Makes the leader observe everything now, as it does every few seconds. */
const observe = (api: TestApi) => api.db.query(sql`select pg_notify('alarms', 'observe')`)

/** Waits for a list of alarms. */
const alarmsOf = (caller: Client, check: (alarms: WireAlarm[]) => boolean) =>
  eventually(async () => {
    const { body } = await caller.call(endpoints.list)
    expect(check(body.content), JSON.stringify(body.content)).toBe(true)
    return body
  })

const kindsOf = (alarms: readonly WireAlarm[]) => alarms.map(({ kind }) => kind)
const later = (api: TestApi, seconds: number) => {
  api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000)
}

/** A station that has sent nothing since it was added two days ago: it is silent. */
async function silentStation(api: TestApi) {
  const station = await api.station()
  await api.db.execute(sql`
    update location set added_at = ${new Date(api.clock.now.getTime() - 2 * 86_400_000)}::timestamptz where id = 7`)
  await observe(api)
  return station
}

test('raises an alarm of a vehicle on the wrong way, masked for anonymised users, and clears it with its countdown', async () => {
  const api = await testApi()
  const station = await api.station()
  const operator = await api.as('CurrentMeasurements')
  const other = await api.as('CurrentMeasurements', 'Anonymization')
  const technician = await api.as('Tickets')
  expect((await operator.call(endpoints.list)).body).toMatchObject({
    content: [],
    emptySince: null,
    isFlood: false,
    // The second shift, 14:00 in Polish time.
    shiftEndsAt: '2026-10-20T12:00:00.000Z',
  })

  await send(station, [
    car(1, { wrongDirection: true, plateLpr: 'WGM4K281' }),
    car(2),
    car(3, { wrongDirection: true, plateLpr: null, laneNumber: 2, axles: null }),
  ])
  const { content, version, lastTenMinutes } = await alarmsOf(operator, (alarms) => alarms.length === 2)
  expect(lastTenMinutes).toBe(2)
  const mine = content.find(({ laneNumber }) => laneNumber === 1) as WireAlarm
  expect(mine).toMatchObject({
    kind: 'wrong-way',
    priority: 'high',
    state: 'active',
    location: { id: 7, shortName: 'S8 Test', roadNumber: 'S8' },
    vehicle: { id: vehicleId(7, 1), plateLpr: 'WGM4K281', nationality: 'PL' },
    raisedAt: api.clock.now.toISOString(),
    // It has no checkpoint time: five minutes from 07:59:58.
    endsAt: '2026-10-20T08:04:58.000Z',
    isSilent: false,
    acknowledged: null,
    maxShelfMinutes: null,
  })
  const masked = (await other.call(endpoints.list)).body.content
  expect(masked.map(({ vehicle }) => vehicle?.plateLpr?.includes('4K281'))).not.toContain(true)
  expect((await technician.call(endpoints.list)).body.content).toEqual([])
  const params = { id: mine.id }
  expect((await technician.call(endpoints.acknowledge, { params })).status).toBe(404)
  const shelver = await api.as('CurrentMeasurements', 'AlarmShelving')
  const body = { until: new Date(api.clock.now.getTime() + 60_000).toISOString(), reason: 'Przejazd służb' }
  expect(errorCodes((await shelver.call(endpoints.shelve, { params, body })).errors)).toEqual([
    'null: alarm-never-shelved',
  ])

  // Two at once: one wins, the other is told by whom.
  const second = await api.as('CurrentMeasurements')
  const answers = await Promise.all([operator, second].map((user) => user.call(endpoints.acknowledge, { params })))
  const first = answers.map(({ body }) => body.isFirst)
  expect(first.toSorted()).toEqual([false, true])
  const winner = first[0] ? operator.username : second.username
  expect(answers.map(({ body }) => body.by)).toEqual([winner, winner])
  const refresh = async (known: string) =>
    (await second.call(endpoints.check, { query: { version: known } })).body.refresh
  expect(await refresh(version)).toBe(true)
  const after = await alarmsOf(second, (alarms) => alarms.some(({ state }) => state === 'acknowledged'))
  expect(after.content.at(-1)).toMatchObject({ id: mine.id, acknowledged: { by: winner } })
  expect(await refresh(after.version)).toBe(false)

  later(api, 300)
  const { emptySince } = await alarmsOf(operator, (alarms) => alarms.length === 0)
  expect(emptySince).toBe(api.clock.now.toISOString())
  later(api, 1)
  const range = { dateTimeStart: '2026-10-20T07:00:00Z', dateTimeEnd: '2026-10-20T09:00:00Z' }
  const history = (await operator.call(endpoints.history, { query: { ...range, kinds: ['wrong-way'] } })).body
  expect(history.totalCount).toBe(2)
  expect(Object.fromEntries(history.content.map(({ laneNumber, isMissed }) => [laneNumber, isMissed]))).toEqual({
    1: false,
    2: true,
  })
  const figures = (await operator.call(endpoints.figures, { query: range })).body
  expect(figures).toMatchObject({
    alarms: 2,
    windows: 12,
    windowsOverTen: 0,
    worstWindow: 2,
    priorities: { high: { alarms: 2, percent: 100 } },
    secondsToAcknowledge: { median: 0, p95: 0 },
    missed: 1,
    mostFrequent: [{ kind: 'wrong-way', location: { id: 7, shortName: 'S8 Test' }, alarms: 2 }],
    standing: [],
  })
  expect((await technician.call(endpoints.history, { query: range })).body.totalCount).toBe(0)
  const long = { ...range, dateTimeEnd: '2027-02-20T09:00:00Z' }
  expect(errorCodes((await operator.call(endpoints.history, { query: long })).errors)).toEqual([
    'dateTimeEnd: value-too-large',
  ])
  const logs = await (await api.as('UserManagement')).call(activity.audit, {
    query: { ...range, action: 'alarm-acknowledged' },
  })
  expect(logs.body.content).toMatchObject([
    { subject: 'S8 Test', after: { alarm: 'wrong-way' }, user: { username: winner } },
  ])

  await deleteAlarmsBefore(api.db, api.clock.now)
  expect((await operator.call(endpoints.history, { query: range })).body.totalCount).toBe(0)
})

const hourBefore = ({ clock }: TestApi) => ({
  dateTimeStart: new Date(clock.now.getTime() - 3_600_000).toISOString(),
  dateTimeEnd: new Date(clock.now.getTime() + 1_000).toISOString(),
})

test('shelves an alarm with a reason until it returns by itself, as a new one', async () => {
  const api = await testApi()
  const operator = await api.as('CurrentMeasurements')
  const shelver = await api.as('Tickets', 'AlarmShelving')
  const anonymised = await api.as('CurrentMeasurements', 'Anonymization')
  const station = await silentStation(api)
  const { content } = await alarmsOf(shelver, (alarms) => alarms.length === 1)
  expect(content[0]).toMatchObject({
    kind: 'station-silent',
    priority: 'medium',
    laneNumber: null,
    maxShelfMinutes: 480,
  })
  const params = { id: content[0]?.id as number }
  const until = (minutes: number) => new Date(api.clock.now.getTime() + minutes * 60_000).toISOString()
  const shelve = (minutes: number, reason: string) =>
    shelver.call(endpoints.shelve, { params, body: { until: until(minutes), reason } })
  expect(errorCodes((await shelve(490, 'Serwis')).errors)).toEqual(['until: shelf-too-long'])
  expect(errorCodes((await shelve(0, 'Serwis')).errors)).toEqual(['until: shelf-in-the-past'])
  expect((await shelve(30, ' ')).status).toBe(400)
  expect((await operator.call(endpoints.acknowledge, { params })).body.isFirst).toBe(true)
  const end = until(30)
  expect((await shelve(30, 'Serwis na miejscu')).status).toBe(204)
  const shelved = (await alarmsOf(operator, ([alarm]) => alarm?.state === 'shelved')).content[0]
  expect(shelved?.shelved).toEqual({ by: shelver.username, until: end, reason: 'Serwis na miejscu' })
  const hidden = (await anonymised.call(endpoints.list)).body.content[0]
  expect(hidden?.shelved?.reason).toBeNull()
  const auditor = await api.as('UserManagement', 'Anonymization')
  const { content: hiddenLogs } = (
    await auditor.call(activity.audit, { query: { ...hourBefore(api), action: 'alarm-shelved' } })
  ).body
  expect(hiddenLogs).toMatchObject([{ after: { alarm: 'station-silent', reason: null } }])

  expect((await shelver.call(endpoints.unshelve, { params })).status).toBe(204)
  await alarmsOf(operator, ([alarm]) => alarm?.state === 'active' && alarm.acknowledged === null)
  expect((await shelve(5, 'Serwis')).status).toBe(204)
  later(api, 301)
  await alarmsOf(operator, ([alarm]) => alarm?.state === 'active')

  // The cause has gone: an alarm that nobody acknowledged stays until it is seen.
  await send(station, [car(1)])
  await observe(api)
  await eventually(async () => {
    later(api, 31)
    const lists = await Promise.all([operator, shelver].map((user) => user.call(endpoints.list)))
    expect(lists.map(({ body }) => body.content[0]?.state)).toEqual(['cleared', 'cleared'])
  })
  await operator.call(endpoints.acknowledge, { params })
  await alarmsOf(operator, (alarms) => alarms.length === 0)
  expect((await shelve(5, 'Serwis')).status).toBe(404)
  const logs = await (await api.as('UserManagement')).call(activity.audit, {
    query: { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' },
  })
  expect(logs.body.content.map(({ action }) => action)).toEqual([
    'alarm-acknowledged',
    'alarm-shelved',
    'alarm-unshelved',
    'alarm-shelved',
    'alarm-acknowledged',
  ])
})

test('a station is silent for alarms and overview alike: by its own limit, else after 30 minutes', async () => {
  const api = await testApi()
  const stations = [await api.station(), await api.station({ ...testStation, id: 8, shortName: 'S8 Krótko' })]
  await api.db.execute(sql`update location set silent_after = 5 where id = 8`)
  for (const station of stations) await send(station, [car(1)])
  const silentAfter = async (seconds: number, silent: number[]) => {
    later(api, seconds)
    const operator = await api.as('CurrentMeasurements')
    await observe(api)
    const { content } = await alarmsOf(operator, (alarms) => alarms.length === silent.length)
    expect(content.map(({ kind, location }) => [kind, location?.id])).toEqual(
      silent.map((id) => ['station-silent', id]),
    )
    const { body } = await operator.call(overview)
    const shown = body.stations.filter(({ silentSince }) => silentSince !== null)
    expect(shown.map(({ locationId }) => locationId).toSorted()).toEqual(silent.toSorted())
  }
  // The vehicles were measured two seconds before.
  await silentAfter(298, [])
  await silentAfter(2, [8])
  await silentAfter(1_505, [7, 8])
})

test('observes overloads before an inspecting station, signs, scales, messages and overheight', async () => {
  const api = await testApi()
  const { signIds } = await testSigns(api)
  const station = await api.station()
  const operator = await api.as('CurrentMeasurements')
  const officer = await api.as('Inspections', 'CurrentMeasurements')
  await api.db.execute(sql`update location set overheight_alarm = true where id = 7`)
  await insertScale(
    api.db,
    {
      name: 'Haenni 4',
      certificate: 'OUM 1/2025',
      authority: 'OUM',
      validFrom: '2025-10-01',
      validUntil: '2026-10-26',
      accuracyPercent: 1,
      kind: 'pads',
    },
    api.clock.now,
  )
  await api.db.execute(sql`
    insert into outbox (created_at, kind, recipient, language, attempts, last_error)
    values (${new Date(api.clock.now.getTime() - 700_000)}::timestamptz, 'wanted-mail', 'a@b.example', 'pl', 3, 'refused')`)
  // A day and a second ago.
  await requestStamp(api.db, Buffer.alloc(32), 'document', new Date(api.clock.now.getTime() - 86_401_000))
  await api.db.execute(sql`
    insert into vms_plate (sign_id, location_id, vehicle_id, vehicle_created_at, plate_lpr, all_trucks, shown, user_id, ip, set_at, until, shown_at, ending_at, ending_reason)
    select ${signIds[1]}, 7, 1, ${api.clock.now}::timestamptz, 'WX 1', false, 'WX 1', ${operator.userId}, '::1', ${api.clock.now}::timestamptz, ${api.clock.now}::timestamptz, ${api.clock.now}::timestamptz, null, null`)
  const lorry = car(1, {
    axles: [
      { leftWeight: 9_000, rightWeight: 9_000, gap: 0 },
      { leftWeight: 9_000, rightWeight: 9_000, gap: 400 },
    ],
    ctg8p1: 8,
    vehHeight: 480,
  })
  await send(station, [lorry])
  await observe(api)
  await alarmsOf(operator, (alarms) => {
    const kinds = kindsOf(alarms)
    return kinds.includes('overheight') && kinds.includes('certificate-ending') && !kinds.includes('overload')
  })

  await officer.call(inspections.add, {
    headers: { 'idempotency-key': 'one' },
    body: { locationId: 7, vehicleId: null, createdAt: null, state: 'takenOver', selection: 'random' },
  })
  later(api, 61)
  await observe(api)
  const { content } = await alarmsOf(operator, (alarms) => kindsOf(alarms).includes('overload'))
  expect(content.find(({ kind }) => kind === 'certificate-ending')).toMatchObject({
    name: 'Haenni 4',
    value: 6,
    location: null,
  })
  expect(content.find(({ kind }) => kind === 'overload')?.value).toBeGreaterThan(20)
  await eventually(async () => {
    later(api, 61)
    await observe(api)
    const kinds = kindsOf((await operator.call(endpoints.list)).body.content)
    expect(kinds).toEqual(expect.arrayContaining(['outbox-stuck', 'stamps-missing']))
  })
})

test('neither duplicates nor loses alarms when another process becomes the leader', async () => {
  const api = await testApi()
  const operator = await api.as('CurrentMeasurements')
  await silentStation(api)
  const { content } = await alarmsOf(operator, (alarms) => alarms.length === 1)
  await operator.call(endpoints.acknowledge, { params: { id: content[0]?.id as number } })
  const next = await testApi({}, { name: api.name, clock: api.clock })
  const there = next.client(operator.token)
  const seen = await alarmsOf(there, ([alarm]) => alarm?.state === 'acknowledged')
  await api.app.close()
  // The second process leads now: it raises new alarms, and keeps the open ones.
  await send(await next.station(), [car(1, { wrongDirection: true })])
  const both = await alarmsOf(there, (alarms) => kindsOf(alarms).includes('wrong-way'))
  expect(both.content.filter(({ kind }) => kind === 'station-silent')).toEqual(
    seen.content.map((alarm) => ({ ...alarm, state: 'acknowledged' })),
  )
})
