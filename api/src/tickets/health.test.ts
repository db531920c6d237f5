import { finish, revokeFinish } from '@rogatka/contract/calibration.ts'
import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import * as upkeep from '@rogatka/contract/locations-upkeep.ts'
import type { HealthKind } from '@rogatka/contract/tickets.ts'
import { list } from '@rogatka/contract/tickets.ts'
import * as endpoints from '@rogatka/contract/tickets-health.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { runImport, tryFile } from '../imports/testing.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { type Client, type TestApi, testApi } from '../testing/test-api.ts'

const MINUTE = 60_000
let sequence = 1

const passing = (at: Date, laneNumber: number, more: Partial<WireMeasurement> = {}): WireMeasurement => ({
  ...car(sequence++),
  axles: null,
  createdAt: at.toISOString(),
  laneNumber,
  ...more,
})

/** Yesterday (a working day) from 8 to 12 in Warsaw, a vehicle per minute on each of two lanes. */
async function usualDay(station: Client) {
  const start = Date.parse('2026-10-19T06:00:00Z')
  const minutes = Array.from({ length: 240 }, (_, i) => new Date(start + i * MINUTE))
  await send(
    station,
    minutes.flatMap((at) => [passing(at, 1), passing(at, 2)]),
  )
}

const job = (api: TestApi, name: string) => api.app.jobs.recurring.find((one) => one.name === name)?.work()

/** Advances minute by minute, with a vehicle on each of these lanes and a health check. */
async function minutes(api: TestApi, station: Client, count: number, lanes: number[]) {
  for (let i = 0; i < count; i++) {
    api.clock.now = new Date(api.clock.now.getTime() + MINUTE)
    const at = new Date(api.clock.now.getTime() - 5_000)
    if (lanes.length > 0)
      await send(
        station,
        lanes.map((lane) => passing(at, lane)),
      )
    await job(api, 'watch-silence')
  }
}

const tickets = async (api: TestApi) => {
  const user = await api.as('Tickets')
  return (await user.call(list)).body.content
}

test('opens one ticket for a lane without data within 15 minutes, and closes it when traffic resumes', async () => {
  const api = await testApi()
  const station = await api.station()
  await usualDay(station)
  await minutes(api, station, 5, [1, 2])
  expect(await tickets(api)).toEqual([])

  await minutes(api, station, 15, [1])
  const [ticket, ...others] = await tickets(api)
  expect(others).toEqual([])
  expect(ticket).toMatchObject({
    title: 'S8 Test, pas 2: brak przejazdów na pasie',
    status: 'open',
    userId: null,
    location: { id: 7, shortName: 'S8 Test' },
    laneNumber: 2,
    healthKind: 'lane-silent',
  })
  expect(ticket?.description).toContain('Ostatni pojazd na tym pasie: 20.10.2026 10:04:55. Od 10 min')

  await minutes(api, station, 20, [1])
  expect(await tickets(api)).toHaveLength(1)

  // A single vehicle does not count as traffic.
  await minutes(api, station, 1, [1, 2])
  expect((await tickets(api))[0]?.isOpen).toBe(true)
  await minutes(api, station, 5, [1, 2])
  const [closed] = await tickets(api)
  expect(closed).toMatchObject({ status: 'closed', isOpen: false })
  expect(closed?.description).toContain('Stan prawidłowy od 20.10.2026 10:4')

  await minutes(api, station, 12, [1])
  expect((await tickets(api)).map(({ isOpen }) => isOpen)).toEqual([false, true])
})

test('learns typical traffic by day type', async () => {
  const api = await testApi()
  const station = await api.station()
  await usualDay(station)
  const saturday = Date.parse('2026-10-24T06:00:00Z')
  api.clock.now = new Date(saturday + 240 * MINUTE)
  await send(
    station,
    Array.from({ length: 240 }, (_, i) => passing(new Date(saturday + i * MINUTE), 1)),
  )
  await job(api, 'watch-silence')
  const slots = await api.db.query(sql`
    select slot, vehicles from usual_traffic where lane_number = 2 and slot in (9, 33) order by slot`)
  expect(slots).toEqual([
    { slot: 9, vehicles: 60 },
    { slot: 33, vehicles: 0 },
  ])
})

test('typical traffic counts watched hours without a vehicle, but not those of failures, gaps and closures', async () => {
  const api = await testApi()
  const station = await api.station()
  const HOUR = 60 * MINUTE
  // Monday to Friday at 08:10 in Warsaw; at 03:10 only on Monday and Wednesday.
  const days = [12, 13, 14, 15, 16].map((day) => Date.parse(`2026-10-${day}T00:00:00+02:00`))
  const morning = days.map((day) => passing(new Date(day + 8 * HOUR + 10 * MINUTE), 1))
  const night = [0, 2].map((at) => passing(new Date((days[at] as number) + 3 * HOUR + 10 * MINUTE), 1))
  api.clock.now = new Date('2026-10-16T22:00:00Z')
  await send(station, [...night, ...morning])
  const learn = async () => {
    await api.db.execute(sql`
      update station_watch set watched_since = '2026-10-11T22:00:00Z', checked_at = ${api.clock.now}::timestamptz, learnt_at = null`)
    await job(api, 'watch-silence')
    const rows = await api.db.query<{ slot: number; vehicles: number }>(sql`
      select slot, vehicles::float8 from usual_traffic where lane_number = 1 and slot in (3, 4, 8) order by slot`)
    return rows.map(({ slot, vehicles }) => [slot, Math.round(vehicles * 1000) / 1000])
  }
  expect(await learn()).toEqual([
    [3, 0.4],
    [4, 0],
    [8, 1],
  ])
  // On Tuesday the portal did not run, on Thursday the station was closed, on Friday it failed from 03:30 on.
  const at = (day: number, minutes: number) => new Date((days[day] as number) + minutes * MINUTE)
  await api.db.execute(sql`
    insert into station_watch_gap (begun_at, ended_at) values (${at(1, 200)}::timestamptz, ${at(1, 210)}::timestamptz)`)
  expect((await learn())[0]).toEqual([3, 0.5])
  await api.db.execute(sql`
    insert into station_closure (location_id, closed_at, reopened_at)
    values (7, ${at(3, 60)}::timestamptz, ${at(3, 300)}::timestamptz)`)
  expect((await learn())[0]).toEqual([3, 0.667])
  await api.db.execute(sql`
    insert into station_failure (location_id, lane_number, kind, begun_at, ended_at, evidence)
    values (7, 0, 'station-silent', ${at(4, 250)}::timestamptz, ${at(4, 260)}::timestamptz,
            ${JSON.stringify({ lastVehicleTime: at(4, 210) })}::text::jsonb)`)
  expect((await learn())[0]).toEqual([3, 1])
})

test('the silence of a quiet station does not lower its typical traffic, and fails once ten vehicles are missing', async () => {
  const api = await testApi()
  const station = await api.station()
  const HOUR = 60 * MINUTE
  const start = Date.parse('2026-09-28T22:00:00Z')
  await api.db.execute(sql`update location set added_at = ${new Date(start)}::timestamptz`)
  // Every six hours for two weeks, the last at midnight.
  const passed = Array.from({ length: 57 }, (_, i) => new Date(start + i * 6 * HOUR))
  const last = passed.at(-1) as Date
  api.clock.now = new Date(last.getTime() + HOUR)
  await send(
    station,
    passed.map((at) => passing(at, 1)),
  )
  const check = async (hours: number) => {
    api.clock.now = new Date(last.getTime() + hours * HOUR)
    await api.db.execute(sql`
      update station_watch set watched_since = ${new Date(start)}::timestamptz, checked_at = ${api.clock.now}::timestamptz, learnt_at = null`)
    await job(api, 'watch-silence')
    const slots = await api.db.query(sql`
      select slot, vehicles::float8 from usual_traffic where lane_number = 1 and slot in (12, 13, 36) order by slot`)
    return { slots, kinds: (await tickets(api)).map(({ healthKind }) => healthKind) }
  }
  const slots = [
    { slot: 12, vehicles: 1 },
    { slot: 13, vehicles: 0 },
    { slot: 36, vehicles: 1 },
  ]
  expect(await check(2)).toEqual({ slots, kinds: [] })
  // More than a day, without half as many vehicles as count.
  expect(await check(27)).toEqual({ slots, kinds: [] })
  expect(await check(53)).toEqual({ slots, kinds: [] })
  expect(await check(67)).toEqual({ slots, kinds: ['station-silent'] })
  // A month later, after its failure ended without a vehicle, as while it was closed.
  await api.db.execute(sql`update station_failure set ended_at = ${api.clock.now}::timestamptz`)
  expect(await check(30 * 24)).toEqual({ slots, kinds: ['station-silent', 'station-silent'] })
})

test('opens one ticket, not one per lane, for a station without data', async () => {
  const api = await testApi()
  const station = await api.station()
  await usualDay(station)
  await minutes(api, station, 2, [1, 2])
  await minutes(api, station, 14, [])
  expect((await tickets(api)).map(({ healthKind }) => healthKind)).toEqual(['station-silent'])

  const admin = await api.as('UsersAdmin')
  const { body } = await admin.call(endpoints.health)
  expect(body[0]).toMatchObject({ location: { id: 7 }, state: 'bad' })
  const [whole, ...lanes] = body[0]?.checks ?? []
  expect(whole).toMatchObject({ kind: 'station-silent', laneNumber: null, state: 'bad', ticketId: expect.any(Number) })
  expect(whole?.since).toMatch(/^2026-10-20T08:/)
  expect(lanes.map(({ state }) => state)).toEqual(['unknown', 'unknown'])
})

test('shows failures but opens and closes no tickets while switched off, and audits the switches', async () => {
  const api = await testApi()
  const station = await api.station()
  const admin = await api.withPermissions(['ROLE_7', 'ROLE_20'])
  const unset = { autoOpen: true, autoClose: true, contractPercent: null }
  expect((await admin.call(endpoints.readHealthSettings)).body).toEqual(unset)
  await admin.call(endpoints.changeHealthSettings, { body: { autoOpen: false, autoClose: false } })
  await usualDay(station)
  await minutes(api, station, 2, [1, 2])
  await minutes(api, station, 12, [1])
  expect(await tickets(api)).toEqual([])
  const silent = async () =>
    (await admin.call(endpoints.health)).body[0]?.checks.find(({ laneNumber }) => laneNumber === 2)
  expect(await silent()).toMatchObject({ state: 'bad', ticketId: null })

  // Once switched on, an existing failure gets its ticket; without auto-close it stays open.
  await admin.call(endpoints.changeHealthSettings, { body: { autoOpen: true, autoClose: false } })
  await minutes(api, station, 1, [1])
  expect(await tickets(api)).toHaveLength(1)
  await minutes(api, station, 8, [1, 2])
  expect(await silent()).toMatchObject({ state: 'well', since: null, ticketId: null })
  expect((await tickets(api))[0]).toMatchObject({ status: 'open' })
  const log = await api.db.query(
    sql`select action, before, after from audit where action = 'station-watch-changed' order by id`,
  )
  expect(log).toMatchObject([
    { before: { autoOpen: true, autoClose: true }, after: { autoOpen: false, autoClose: false } },
    { before: { autoOpen: false, autoClose: false }, after: { autoOpen: true, autoClose: false } },
  ])
})

test('detects missing images, unreadable plates and clock skew from the vehicles of the last hour', async () => {
  const api = await testApi()
  const station = await api.station()
  const image = await jpeg()
  const kinds = async () => {
    await job(api, 'watch-quality')
    return (await tickets(api)).filter(({ isOpen }) => isOpen).map(({ healthKind }) => healthKind as HealthKind)
  }
  // A normal hour: plates read, an image each, without delay.
  const hourOf = async (count: number, more: Partial<WireMeasurement>, withImages: boolean) => {
    const from = api.clock.now.getTime()
    const sent = Array.from({ length: count }, (_, i) => passing(new Date(from + i * 30_000), 1, more))
    for (const [i, vehicle] of sent.entries()) {
      api.clock.now = new Date(from + i * 30_000 + 1_000)
      await send(station, [vehicle])
      if (withImages) await sendImage(station, vehicle, 'front', image)
    }
    api.clock.now = new Date(from + 3_600_000)
  }
  await hourOf(100, {}, true)
  // One vehicle ahead of the clock is an accident, whatever an import had.
  await send(station, [passing(new Date(api.clock.now.getTime() + 7_200_000), 1)])
  await api.db.execute(sql`
    insert into quarantine (location_id, received_at, digest, measurement, errors)
    select location_id, received_at, decode(md5(n::text), 'hex'), jsonb_build_object('import', 1, 'line', n), errors
    from quarantine, generate_series(1, 2) n`)
  expect(await kinds()).toEqual([])
  // Vehicles buffered while the station was offline have no images.
  const kept = Array.from({ length: 200 }, (_, i) =>
    passing(new Date(api.clock.now.getTime() - 3_000_000 + i * 10_000), 1),
  )
  await send(station, kept)
  expect(await kinds()).toEqual([])
  await hourOf(100, { plateLpr: null }, false)
  expect((await kinds()).sort()).toEqual(['images-missing', 'plates-unreadable'])
  expect((await kinds()).length).toBe(2)

  // All vehicles arrive more than ten minutes late.
  const from = api.clock.now.getTime()
  api.clock.now = new Date(from + 3_600_000)
  const late = Array.from({ length: 60 }, (_, i) => passing(new Date(from + 2_000_000 + i * 10_000), 1))
  await send(station, late)
  await job(api, 'watch-quality')
  const skew = (await tickets(api)).find(({ healthKind }) => healthKind === 'clock-skew')
  expect(skew?.description).toMatch(/o −1\s010 s/)
  expect(skew?.isOpen).toBe(true)
})

/** A tractor with a semi-trailer, of the sample of calibrations, with its first axle in kg. */
const lorry = (at: Date, firstAxle: number, laneNumber = 1) =>
  passing(at, laneNumber, {
    speed: 80,
    ctg8p1: 9,
    ctg323: 5,
    vehLength: 1_650,
    axles: [
      { leftWeight: firstAxle / 2, rightWeight: firstAxle / 2, gap: 0 },
      ...[370, 560, 130, 130].map((gap) => ({ leftWeight: 3_000, rightWeight: 3_000, gap })),
    ],
  })

test('detects a deviation above 7 % from a reference, but not from the general value', async () => {
  const api = await testApi()
  const station = await api.station()
  await send(
    station,
    Array.from({ length: 60 }, (_, i) => lorry(new Date(api.clock.now.getTime() - (i + 1) * MINUTE), 7_800)),
  )
  await job(api, 'watch-calibration')
  expect(await tickets(api)).toEqual([])

  const finished = new Date(api.clock.now.getTime() - 8 * 86_400_000)
  await api.db.execute(sql`
    insert into calibration_finish (finished_at, entered_at, location_id, user_id, lane_number, username)
    values (${finished}::timestamptz, ${finished}::timestamptz, 7, 1, 1, 'x')`)
  await api.db.execute(sql`
    insert into calibration_reference (finished_at, load_sum, load_square_sum, location_id, vehicles, lane_number)
    values (${finished}::timestamptz, ${200 * 7_000}, ${200 * 7_000 ** 2}, 7, 200, 1)`)
  await job(api, 'watch-calibration')
  const [ticket, ...others] = await tickets(api)
  expect(others).toEqual([])
  expect(ticket).toMatchObject({ healthKind: 'calibration-deviation', laneNumber: 1 })
  expect(ticket?.description).toContain('o 11,43 %')
})

test('a calibration ends the failure of its lane, and is judged by the vehicles after it', async () => {
  const api = await testApi()
  const station = await api.station()
  const user = () => api.as('UserManagement')
  const start = api.clock.now.getTime()
  const HOUR = 60 * MINUTE
  const DAY = 24 * HOUR
  /** Lorries of one lane each minute before now. */
  const sendLorries = (count: number, firstAxle: number, laneNumber: number) =>
    send(
      station,
      Array.from({ length: count }, (_, i) =>
        lorry(new Date(api.clock.now.getTime() - (i + 1) * MINUTE), firstAxle, laneNumber),
      ),
    )
  const calibrate = async (lanes: string, at: number) =>
    (await user()).call(finish, { query: { locations: '7', lanes, time: new Date(at).toISOString() } })
  const check = async () => {
    await job(api, 'freeze-references')
    await job(api, 'watch-calibration')
    const open = (await tickets(api)).filter(({ isOpen }) => isOpen)
    return open.map(({ laneNumber }) => laneNumber).sort()
  }
  const evidenceOf = async (laneNumber: number) =>
    (
      await api.db.query(sql`
        select state, evidence ->> 'vehicles' as vehicles, evidence ->> 'deviationPercent' as percent
        from station_check where kind = 'calibration-deviation' and lane_number = ${laneNumber}`)
    )[0]

  for (const lane of [1, 2]) await sendLorries(200, 7_000, lane)
  await calibrate('701,702', start - DAY)
  expect(await check()).toEqual([])
  // Days later both lanes weigh 12 % too much: 7,840 kg.
  api.clock.now = new Date(start + 8 * DAY)
  for (const lane of [1, 2]) await sendLorries(400, 7_840, lane)
  expect(await check()).toEqual([1, 2])
  expect(await evidenceOf(1)).toEqual({ state: 'bad', vehicles: '400', percent: '12' })

  // Both are calibrated. Lane 1 has its reference within hours, lane 2 has too little traffic for one.
  await calibrate('701,702', api.clock.now.getTime())
  api.clock.now = new Date(start + 8 * DAY + 4 * HOUR)
  await sendLorries(220, 7_000, 1)
  await sendLorries(40, 7_000, 2)
  expect(await check()).toEqual([])
  expect(await evidenceOf(1)).toEqual({ state: 'well', vehicles: '220', percent: '0' })
  expect(await evidenceOf(2)).toEqual({ state: 'unknown', vehicles: '40', percent: null })

  // What is off again since then fails again: (220 · 7,000 + 600 · 7,700) / 820 = 7,512 kg.
  api.clock.now = new Date(start + 9 * DAY)
  await sendLorries(600, 7_700, 1)
  expect(await check()).toEqual([1])
  expect(await evidenceOf(1)).toEqual({ state: 'bad', vehicles: '820', percent: '7.32' })

  // A calibration that is entered later, for a time before its failure was found, ends it, too.
  await calibrate('701', api.clock.now.getTime() - 2 * HOUR)
  api.clock.now = new Date(api.clock.now.getTime() + HOUR)
  expect(await check()).toEqual([])
  // Revoked, it leaves the lane to the one before; without any calibration there is nothing to deviate from.
  const revoke = async (at: number) =>
    (await user()).call(revokeFinish, {
      body: { lanes: [701], finishedAt: new Date(at).toISOString(), reason: 'pomyłka' },
    })
  await revoke(start + 9 * DAY - 2 * HOUR)
  expect(await check()).toEqual([1])
  await revoke(start + 8 * DAY)
  await revoke(start - DAY)
  expect(await check()).toEqual([])
})

test('a station that never sent fails a day after it was added, until its first vehicle', async () => {
  const api = await testApi()
  const station = await api.station()
  await api.db.execute(sql`update location set added_at = ${new Date('2026-10-19T08:01:00Z')}::timestamptz`)
  await job(api, 'watch-silence')
  expect(await tickets(api)).toEqual([])
  api.clock.now = new Date('2026-10-20T08:01:00Z')
  await job(api, 'watch-silence')
  const [ticket] = await tickets(api)
  expect(ticket).toMatchObject({ title: 'S8 Test: brak pomiarów', healthKind: 'station-silent', isOpen: true })
  expect(ticket?.description).toContain('Od dodania stacji (1 d temu) nie przysłała ona żadnego pojazdu.')
  await send(station, [passing(new Date('2026-10-20T08:00:30Z'), 1)])
  await job(api, 'watch-silence')
  expect((await tickets(api))[0]?.isOpen).toBe(false)
})

test('a station fails a day after its last vehicle, though it never sent as many as count', async () => {
  const api = await testApi()
  const station = await api.station()
  const start = api.clock.now.getTime()
  await api.db.execute(sql`update location set added_at = ${new Date(start - 30 * MINUTE)}::timestamptz`)
  await job(api, 'watch-silence')
  await send(
    station,
    [1, 2, 3].map((minute) => passing(new Date(start - minute * MINUTE), 1)),
  )
  // The portal goes on to watch, but for the hours between.
  const at = async (minutes: number) => {
    api.clock.now = new Date(start + minutes * MINUTE)
    await api.db.execute(sql`update station_watch set checked_at = ${api.clock.now}::timestamptz, learnt_at = null`)
    await job(api, 'watch-silence')
    return (await tickets(api)).map(({ title, isOpen }) => [title, isOpen])
  }
  expect(await at(1_438)).toEqual([])
  expect(await at(1_441)).toEqual([['S8 Test: brak pomiarów', true]])
  await send(station, [passing(api.clock.now, 1)])
  expect(await at(1_442)).toEqual([['S8 Test: brak pomiarów', false]])
  // The time of its last vehicle is stored within a real second.
  const stored = () =>
    api.db.query(sql`
      select from location_activity where last_vehicle_time = ${new Date(start + 1_441 * MINUTE)}::timestamptz`)
  await expect.poll(async () => (await stored()).length).toBe(1)
  // After weeks its typical traffic is forgotten by a portal that is restored.
  await api.db.execute(sql`delete from usual_traffic`)
  await at(30 * 1_440)
  const [last] = (await tickets(api)).filter(({ isOpen }) => isOpen)
  expect(last?.description).toContain('Od tego czasu (28 d 23 h 59 min) stacja nie przysłała żadnego pojazdu.')
})

test('a station that never sent fails, though vehicles were imported, and has no availability', async () => {
  const api = await testApi()
  const station = await api.station()
  await api.db.execute(sql`update location set added_at = '2026-10-10T08:00Z'`)
  await api.db.execute(sql`update station_watch set watched_since = '2026-10-01T00:00Z'`)
  const user = await api.as('Exchange', 'Tickets')
  const imported = [5, 6, 7, 8].map((hours) => passing(new Date(api.clock.now.getTime() - hours * 60 * MINUTE), 1))
  const rows = imported.map((row) => JSON.stringify({ locationId: 7, ...row })).join('\n')
  expect(await runImport(api, user, (await tryFile(api, user, rows, 'own.jsonl')).id)).toMatchObject({ written: 4 })
  await job(api, 'watch-silence')
  const [ticket] = await tickets(api)
  expect(ticket?.description).toContain('nie przysłała ona żadnego pojazdu')
  const lane = (await user.call(endpoints.health)).body[0]?.lanes[0]
  expect(lane?.level).toBe('unknown')
  const counted = async () =>
    (await user.call(endpoints.availability, { query: { year: 2026, month: 10 } })).body.stations.map(
      ({ countedMinutes, percent }) => [countedMinutes, percent],
    )
  expect(await counted()).toEqual([[0, null]])
  // From the hour of its first vehicle on, which is none of the import.
  const last = new Date(api.clock.now.getTime() - 2 * 60 * MINUTE)
  await send(station, [passing(last, 1)])
  const hour = Math.floor(last.getTime() / 3_600_000) * 3_600_000
  const minutesSince = () => (api.clock.now.getTime() - hour) / MINUTE
  expect((await counted())[0]?.[0]).toBe(minutesSince())
  // It stays so once the vehicles of the import are deleted and others are the last ones of the station.
  await job(api, 'watch-quality')
  await api.db.execute(sql`delete from vehicle where import_id is not null`)
  await send(station, [passing(api.clock.now, 1)])
  await expect
    .poll(
      async () =>
        (
          await api.db.query(sql`
            select from location_activity where last_vehicle_time = ${api.clock.now}::timestamptz`)
        ).length,
    )
    .toBe(1)
  expect((await counted())[0]?.[0]).toBe(minutesSince())
})

test('the last vehicle of a lane ignores imported vehicles', async () => {
  const api = await testApi()
  const station = await api.station()
  const user = await api.as('Exchange', 'Tickets')
  const before = (minutes: number) => new Date(api.clock.now.getTime() - minutes * MINUTE)
  const last = before(40 * 60)
  await send(station, [passing(before(41 * 60), 2), passing(last, 2), passing(before(1), 1)])
  const rows = [passing(before(180), 2), passing(before(120), 2)]
  const file = rows.map((row) => JSON.stringify({ locationId: 7, ...row })).join('\n')
  expect(await runImport(api, user, (await tryFile(api, user, file, 'own.jsonl')).id)).toMatchObject({ written: 2 })
  const lastOfLane = async () => {
    await job(api, 'watch-silence')
    const [row] = await api.db.query<{ at: string }>(sql`
      select evidence ->> 'lastVehicleTime' as at from station_check where kind = 'lane-silent' and lane_number = 2`)
    return row?.at
  }
  expect(await lastOfLane()).toBe(last.toISOString())
  // Another one that passed before it tells nothing new.
  await send(station, [passing(before(50 * 60), 2)])
  expect(await lastOfLane()).toBe(last.toISOString())
})

test('hours of quality are deleted after 800 days, but for the first of a station', async () => {
  const api = await testApi()
  await api.station()
  const daysAgo = (days: number) => new Date(Date.parse('2026-10-20T07:00:00Z') - days * 1_440 * MINUTE)
  for (const days of [900, 850, 801, 799]) {
    await api.db.execute(sql`
      insert into station_quality_hour (hour, location_id, vehicles, unread, settled, without_images)
      values (${daysAgo(days)}::timestamptz, 7, 1, 0, 0, 0)`)
  }
  await job(api, 'watch-quality')
  const left = await api.db.query<{ hour: Date }>(sql`select hour from station_quality_hour order by hour`)
  expect(left.map(({ hour }) => hour)).toEqual([daysAgo(900), daysAgo(799)])
})

test('users with tickets see the matrix, and a silent station hides its other checks', async () => {
  const api = await testApi()
  const station = await api.station()
  await usualDay(station)
  await minutes(api, station, 2, [1, 2])
  const user = await api.as('Tickets')
  const first = async () => {
    const [found] = (await user.call(endpoints.health)).body
    return found && { level: found.level, cells: found.cells, lanes: found.lanes.map(({ level }) => level) }
  }
  // Seconds since the last vehicle, whose time is stored within a real second.
  await expect.poll(async () => (await first())?.cells[0]?.value).toBe(5)
  const normal = await first()
  expect(normal?.level).toBe('normal')
  expect(normal?.cells[0]).toMatchObject({ kind: 'station-silent', level: 'normal' })
  expect(normal?.cells.slice(1).map(({ kind, level, value }) => [kind, level, value])).toEqual([
    ['lane-silent', 'normal', null],
    // Not checked yet: without images and plates in the last week they would have no camera.
    ['images-missing', 'none', null],
    ['plates-unreadable', 'none', null],
    ['clock-skew', 'unknown', null],
    ['calibration-deviation', 'unknown', null],
  ])
  expect(normal?.lanes).toEqual(['normal', 'normal'])

  await minutes(api, station, 14, [])
  const silent = await first()
  expect(silent?.level).toBe('failure')
  expect(silent?.lanes).toEqual(['unknown', 'unknown'])
  const [connection, ...others] = silent?.cells ?? []
  expect(connection?.level).toBe('failure')
  expect(connection?.value).toBe(14 * 60 + 5)
  const [failure] = connection?.failures ?? []
  expect(failure).toMatchObject({ laneNumber: null, ticket: { number: '1/2026' } })
  expect(failure?.lastVehicleTime).toBe('2026-10-20T08:01:55.000Z')
  expect(others.every(({ level, failures }) => level === 'unknown' && failures.length === 0)).toBe(true)

  // Only administrators change the settings.
  const body = { autoOpen: false, autoClose: false }
  expect((await user.call(endpoints.changeHealthSettings, { body })).status).toBe(403)
})

test('a station has no failure for time in which the portal did not run, nor while it is closed', async () => {
  const api = await testApi()
  const station = await api.station()
  await usualDay(station)
  await minutes(api, station, 2, [1, 2])
  // An hour later, before the station has sent again.
  api.clock.now = new Date(api.clock.now.getTime() + 60 * MINUTE)
  await minutes(api, station, 5, [])
  expect(await tickets(api)).toEqual([])
  const gaps = await api.db.query(sql`select ended_at - begun_at = '61 minutes' as "isLong" from station_watch_gap`)
  expect(gaps).toEqual([{ isLong: true }])
  // It does not send at all.
  await minutes(api, station, 8, [])
  expect((await tickets(api)).map(({ healthKind }) => healthKind)).toEqual(['station-silent'])

  const admin = await api.as('UsersAdmin')
  await admin.call(upkeep.closeStation, { params: { id: 7 }, body: { reason: 'przebudowa' } })
  await minutes(api, station, 1, [])
  expect((await admin.call(endpoints.health)).body).toEqual([])
  expect(await api.db.query(sql`select id from station_failure where ended_at is null`)).toEqual([])
  expect((await tickets(api)).map(({ isOpen }) => isOpen)).toEqual([true])
  // Opened again, it has some minutes to send.
  api.clock.now = new Date(api.clock.now.getTime() + 3 * MINUTE)
  await admin.call(upkeep.reopenStation, { params: { id: 7 } })
  await minutes(api, station, 5, [])
  expect(await api.db.query(sql`select id from station_failure where ended_at is null`)).toEqual([])
})

test('photos and plates are shares of the last 24 hours, whose limits need attention but open no report', async () => {
  const api = await testApi()
  const station = await api.station()
  const image = await jpeg()
  api.clock.now = new Date('2026-10-20T09:00:00Z')
  // 50 vehicles in an hour: 46 with an image, 44 with a plate. The last ones pass with images, so that they are checked.
  const sent = Array.from({ length: 50 }, (_, i) =>
    passing(new Date(Date.parse('2026-10-20T08:00:00Z') + i * 60_000), 1, i < 6 ? { plateLpr: null } : {}),
  )
  for (const vehicle of sent) {
    api.clock.now = new Date(Date.parse(vehicle.createdAt) + 3_000)
    await send(station, [vehicle])
    if (sent.indexOf(vehicle) >= 4) await sendImage(station, vehicle, 'front', image)
  }
  api.clock.now = new Date('2026-10-20T09:10:00Z')
  await job(api, 'watch-quality')
  // Counted once.
  await job(api, 'watch-quality')
  const user = await api.as('Tickets')
  const [found] = (await user.call(endpoints.health)).body
  expect(found?.cells.map(({ level, value }) => [level, value]).slice(2, 5)).toEqual([
    ['attention', 92],
    ['attention', 88],
    ['normal', -3],
  ])
  expect(found?.level).toBe('attention')
  expect(await tickets(api)).toEqual([])
  await api.db.execute(sql`update station_watch set watched_since = '2026-10-20T08:00Z'`)
  await api.db.execute(sql`update location set added_at = '2026-10-20T08:00Z'`)
  const { body } = await user.call(endpoints.availability)
  expect(body.stations[0]?.days).toEqual([...Array(19).fill('none'), 'attention'])
})

test('cameras and clocks are not evaluated by vehicles stored before monitoring began', async () => {
  const api = await testApi()
  const station = await api.station()
  await job(api, 'watch-silence')
  const image = await jpeg()
  const kept = Array.from({ length: 40 }, (_, i) =>
    passing(new Date(Date.parse('2026-10-20T06:10:00Z') + i * 1_000), 1),
  )
  // The last one before they arrive together passed 50 s ago.
  const late = Array.from({ length: 20 }, (_, i) =>
    passing(new Date(Date.parse('2026-10-20T07:59:10Z') - i * 1_000), 1),
  )
  await send(station, [...kept, ...late])
  for (const vehicle of kept.slice(0, 2)) await sendImage(station, vehicle, 'front', image)
  const cells = async () => {
    const [found] = (await (await api.as('Tickets')).call(endpoints.health)).body
    return Object.fromEntries(found?.cells.map(({ kind, level }) => [kind, level]) ?? [])
  }
  await job(api, 'watch-quality')
  expect(await cells()).toMatchObject({ 'images-missing': 'unknown', 'clock-skew': 'unknown' })
  // Still as late once the portal has watched for a while.
  for (let minute = 0; minute < 20; minute++) {
    api.clock.now = new Date(api.clock.now.getTime() + MINUTE)
    await send(station, [passing(new Date(api.clock.now.getTime() - 50_000), 1)])
  }
  await job(api, 'watch-quality')
  expect(await cells()).toMatchObject({ 'clock-skew': 'attention' })
})
