import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { imageTypes } from '@rogatka/contract/vehicle.ts'
import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import canonicalize from 'canonicalize'
import { expect, test } from 'vitest'
import type { Database } from '../core/database.ts'
import { imagePath } from '../core/image-path.ts'
import { openFiles } from '../core/open-files.ts'
import { raw, sql } from '../core/statement.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { describePassage } from './describe.ts'
import { passageSealsAfter } from './passage-queries.ts'
import { linesOf, sealPassages } from './passages.ts'
import { verifyPassages } from './verify-passages.ts'

/** `LOG_CHANGES=1000 npx vitest run api/src/evidence`: so many changes, each of which has to be found. */
const CHANGES = Number(process.env.LOG_CHANGES ?? 42)
/** `RECORDS=10000`: so many random measurements. */
const RECORDS = Number(process.env.RECORDS ?? 500)

const NOTHING_KEPT = { vehiclesSince: new Date(0), imagesSince: new Date(0) }
const verify = ({ db, app, clock }: TestApi, kept = NOTHING_KEPT, from: Date | null = null) =>
  verifyPassages(db, { now: clock.now, from, kept, files: openFiles(app.api.config) })

/** Continues the clock and seals. */
async function sealAt(api: TestApi, time: string, day = '2026-10-20'): Promise<void> {
  api.clock.now = new Date(`${day}T${time}Z`)
  await expect
    .poll(
      async () => {
        await sealPassages(api.db, api.clock.now)
        const [row] = await api.db.query<{ until: Date }>(sql`select sealed_until as until from passage_sealing`)
        return api.clock.now.getTime() - (row?.until.getTime() ?? 0)
      },
      { timeout: 60_000 },
    )
    .toBeLessThan(3 * 60_000)
}

const TEXTS = ['', 'ż', '\u0000', '\ud800', '\udc00x', '"\\/', '😀', '\u2028', 'e\u0301', '<b>']

/** A measurement with all that a station may send, and values at the bounds. */
function randomMeasurement(random: Random, sequence: number): WireMeasurement {
  const maybe = <T>(value: () => T): T | null | undefined => random.pick([value, value, () => null, () => undefined])()
  const upTo = (max: number) => () => random.pick([0, -0, 1, max, random.below(max)])
  const text = () => random.pick(TEXTS) + random.pick(TEXTS)
  const measured = {
    sequence,
    createdAt: new Date(Date.UTC(2026, 9, 20, 7, 59, 58) - random.below(3_000_000)).toISOString(),
    laneNumber: 1 + random.below(2),
    plateLpr: maybe(() => text().slice(0, 20)),
    nationality: maybe(() => random.pick(['PL', 'D', 'LT'])),
    speed: maybe(upTo(400)),
    vehLength: maybe(upTo(10_000)),
    vehHeight: maybe(upTo(2_000)),
    ctg8p1: maybe(upTo(11)),
    ctg323: maybe(upTo(8)),
    wrongDirection: maybe(() => random.happens(0.5)),
    overlane: maybe(() => random.happens(0.5)),
    axles: maybe(() =>
      Array.from({ length: random.pick([0, 1, 2, 5, 19, 24]) }, () => ({
        type: maybe(upTo(99)),
        leftWeight: maybe(upTo(60_000)),
        rightWeight: maybe(upTo(60_000)),
        gap: maybe(upTo(3_000)),
      })),
    ),
    shapeSamples: maybe(() => Array.from({ length: random.below(30) }, upTo(2_000))),
    euro: maybe(() => ({ make: maybe(text), fuel_type: maybe(text), production_date: maybe(() => '2019-02-28') })),
  }
  return JSON.parse(JSON.stringify(measured))
}

/** The records of all vehicles, put together by PostgreSQL, with the stored digest. */
const recordsInSql = (db: Database) =>
  db.query<{ record: Record<string, unknown>; evidence: string | null }>(sql`
    select encode(d.evidence, 'hex') as evidence, jsonb_build_object(
      'locationId', v.location_id, 'id', v.id, 'createdAt', ${iso('v.created_at')}, 'receivedAt', ${iso('v.received_at')},
      'checkpointTime', ${iso('v.checkpoint_time')}, 'vmsReadableAt', ${iso('v.vms_readable_at')},
      'totalLoad', v.total_load, 'limitTotalLoad', v.limit_total_load, 'overloadSa', v.overload_sa,
      'overloadMa', v.overload_ma, 'overloadTl', v.overload_tl, 'laneNumber', v.lane_number, 'speed', v.speed,
      'speedLimit', v.speed_limit, 'vehLength', v.veh_length, 'vehHeight', v.veh_height, 'limitHeight', v.limit_height,
      'limitLength', v.limit_length, 'numberOfAxles', v.number_of_axles, 'ctg8p1', v.ctg8p1, 'ctg323', v.ctg323,
      'violations', v.violations, 'plateLpr', v.plate_lpr, 'nationality', v.nationality, 'hourOnly', v.hour_only,
      'importId', v.import_id, 'accuracyClass', d.accuracy_class, 'axles', d.axles, 'axleGroups', d.axle_groups,
      'shape', encode(d.shape, 'hex'), 'euro', d.euro, 'digest', encode(d.digest, 'hex')) as record
    from vehicle v join vehicle_detail d using (location_id, created_at, id)`)

const iso = (column: string) => raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

test('the digest of a vehicle is that of its stored columns, for any measurement', async () => {
  const api = await testApi()
  const station = await api.station()
  const random = seededRandom(1_114)
  const all = Array.from({ length: RECORDS }, (_, index) => randomMeasurement(random, index + 1))
  let accepted = 0
  for (let at = 0; at < all.length; at += 500) accepted += (await send(station, all.slice(at, at + 500))).body.accepted
  expect(accepted).toBe(RECORDS)

  const rows = await recordsInSql(api.db)
  expect(rows).toHaveLength(RECORDS)
  for (const { record, evidence } of rows) {
    const present = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))
    expect(evidence).toBe(sha256(canonicalize(present) as string))
  }
  await sealAt(api, '08:04:00')
  expect(await verify(api)).toEqual({ seals: 1, items: RECORDS, broken: null })
})

/** Two stations with vehicles and images of three minutes, sealed. */
async function sealedStations(): Promise<TestApi> {
  const api = await testApi()
  const stations = [await api.station(), await api.station({ ...testStation, id: 8, shortName: 'S8 Two' })]
  for (const minute of [0, 1, 2]) {
    api.clock.now = new Date(Date.UTC(2026, 9, 20, 8, minute, 7))
    for (const [index, station] of stations.entries()) {
      const cars = [1, 2, 3].map((number) => car(minute * 10 + number, { euro: { make: 'Żuk' } }))
      await send(station, cars)
      for (const [at, type] of (['front', 'plate'] as const).entries()) {
        const image = await jpeg(10 * (minute + 1) + at + 100 * index)
        expect((await sendImage(station, cars[0] as WireMeasurement, type, image)).status).toBe(204)
      }
    }
  }
  await sealAt(api, '08:05:00')
  return api
}

test('a seal is the SHA-256 of its text, and follows the one before', async () => {
  const api = await sealedStations()
  for (const locationId of [7, 8]) {
    const seals = await passageSealsAfter(api.db, locationId, 0, 10)
    expect(seals.map(({ number }) => number)).toEqual([1, 2, 3])
    let previous = '0'.repeat(64)
    for (const seal of seals) {
      const minute = seal.minute.toISOString()
      const items = await api.db.query<{ line: string }>(sql`
        select v.id || ' ' || ${iso('v.created_at')} || ' ' || encode(d.evidence, 'hex') as line, v.id, 0 as type
        from vehicle v join vehicle_detail d using (location_id, created_at, id)
        where v.location_id = ${locationId} and date_trunc('minute', v.received_at) = ${seal.minute}::timestamptz
        union all
        select i.id || ' ' || ${iso('i.created_at')} || ' ' || encode(i.sha256, 'hex') || ' '
               || (${[...imageTypes]}::text[])[i.type], i.id, i.type
        from vehicle_image i
        where i.location_id = ${locationId} and date_trunc('minute', i.received_at) = ${seal.minute}::timestamptz
        order by id, type`)
      const lines = items.map(({ line }) => line)
      expect(linesOf(seal).trimEnd().split('\n')).toEqual(lines)
      const text = [
        `station ${locationId}`,
        `minute ${minute}`,
        `number ${seal.number}`,
        `previous ${previous}`,
        ...lines,
      ]
      previous = execFileSync('sha256sum', { input: `${text.join('\n')}\n` })
        .toString()
        .slice(0, 64)
      expect(seal.seal.toString('hex')).toBe(previous)
      expect([seal.vehicles, seal.images]).toEqual([3, 2])
    }
  }
  expect(await verify(api)).toEqual({ seals: 6, items: 30, broken: null })
})

/** Single changes of a vehicle, an image, or a seal of station 7, and what has to be named. */
type Change = { statement: string; broken: Record<string, unknown> }

/** Without a time zone, as Citus refuses the sum of a time with one and an interval in updates. */
const shifted = (column: string, interval: string) =>
  `${column} = timezone('UTC', timezone('UTC', ${column}) + interval '${interval}')`

const COLUMNS = [
  `vehicle set ${shifted('received_at', '1 ms')}`,
  `vehicle set ${shifted('checkpoint_time', '1 ms')}`,
  'vehicle set total_load = total_load + 1',
  'vehicle set overload_tl = coalesce(overload_tl, 0) + 1',
  'vehicle set lane_number = 2',
  'vehicle set speed = speed - 1',
  'vehicle set veh_length = veh_length + 1',
  'vehicle set violations = violations # 1',
  "vehicle set plate_lpr = overlay(plate_lpr placing 'X' from 1 for 1)",
  'vehicle set nationality = null',
  'vehicle set hour_only = true',
  "vehicle_detail set accuracy_class = 'D2'",
  'vehicle_detail set axles[2] = axles[2] + 1',
  'vehicle_detail set shape = set_byte(shape, 1, get_byte(shape, 1) # 4)',
  `vehicle_detail set euro = jsonb_set(euro, '{make}', '"Zuk"')`,
  'vehicle_detail set digest = set_byte(digest, 3, get_byte(digest, 3) # 1)',
  'vehicle_detail set evidence = set_byte(evidence, 31, get_byte(evidence, 31) # 128)',
]

function randomChange(random: Random, kind: number): Change {
  const minute = random.below(3)
  const [number, sequence] = [minute + 1, minute * 10 + 1 + random.below(3)]
  const id = vehicleId(7, sequence)
  const sealRef = { locationId: 7, minute: new Date(Date.UTC(2026, 9, 20, 8, minute)), number }
  const item = { id, createdAt: new Date('2026-10-20T07:59:58.000Z'), type: null }
  const type = random.pick(['front', 'plate'] as const)
  const ofImage = { ...sealRef, item: { ...item, id: vehicleId(7, minute * 10 + 1), type } }
  const image = `id = ${vehicleId(7, minute * 10 + 1)} and type = ${imageTypes.indexOf(type) + 1}`
  const seal = `location_id = 7 and number = ${number}`
  const column = COLUMNS[kind]
  if (column)
    return {
      statement: `update ${column} where id = ${id}`,
      broken: { ...sealRef, item, fault: 'the vehicle was changed' },
    }
  const others: Change[] = [
    {
      statement: `delete from vehicle where id = ${id}`,
      broken: { ...sealRef, item, fault: 'the vehicle is missing' },
    },
    {
      statement: `update vehicle_image set sha256 = set_byte(sha256, 0, get_byte(sha256, 0) # 1) where ${image}`,
      broken: { ...ofImage, fault: 'the image was changed' },
    },
    { statement: `delete from vehicle_image where ${image}`, broken: { ...ofImage, fault: 'the image is missing' } },
    {
      statement: `update passage_seal set seal = set_byte(seal, 9, get_byte(seal, 9) # 2) where ${seal}`,
      broken: { ...sealRef, item: null, fault: 'it was changed' },
    },
    {
      statement: `update passage_seal set lines = set_byte(lines, 20, get_byte(lines, 20) # 16) where ${seal}`,
      broken: { ...sealRef, item: null, fault: 'it was changed' },
    },
    {
      statement: `update passage_seal set vehicles = vehicles - 1 where ${seal}`,
      broken: { ...sealRef, item: null, fault: 'its numbers of vehicles and images were changed' },
    },
    {
      statement: `update passage_seal set ${shifted('minute', '-1 min')} where ${seal}`,
      broken: { locationId: 7, number, item: null, fault: 'it was changed' },
    },
  ]
  return others[kind - COLUMNS.length] as Change
}

const KINDS = COLUMNS.length + 7

test('each single change of a vehicle, an image or a seal is located', async () => {
  const api = await sealedStations()
  await api.app.close()
  const { db } = api
  const tables = ['vehicle', 'vehicle_detail', 'vehicle_image', 'passage_seal']
  await db.query(raw(tables.map((table) => `create table kept_${table} as table ${table}`).join(';')))
  const restore = tables
    .map((table) => `delete from ${table}; insert into ${table} select * from kept_${table}`)
    .join(';')
  const random = seededRandom(1_116)
  for (let count = 0; count < CHANGES; count++) {
    const { statement, broken } = randomChange(random, count % KINDS)
    await db.query(raw(statement))
    expect({ statement, broken: (await verify(api)).broken }).toEqual({
      statement,
      broken: expect.objectContaining(broken),
    })
    await db.query(raw(restore))
  }

  await db.query(raw('delete from passage_seal where location_id = 8 and number = 2'))
  expect((await verify(api)).broken).toMatchObject({
    locationId: 8,
    number: 2,
    fault: 'it is missing, the next seal is 3',
  })
  await db.query(raw(restore))
  const [image] = await db.query<{ sha256: string; createdAt: Date }>(sql`
    select encode(sha256, 'hex') as sha256, created_at as "createdAt" from vehicle_image
    where id = ${vehicleId(8, 11)} and type = 3`)
  const files = openFiles(api.app.api.config)
  const { sha256: digest, createdAt } = image as { sha256: string; createdAt: Date }
  const path = imagePath({ id: vehicleId(8, 11), locationId: 8, createdAt }, { type: 3, sha256: digest })
  const bytes = (await files.get(path)) as Buffer
  bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100)
  await files.put(path, bytes)
  const { broken } = await verify(api)
  expect(broken && describePassage(broken)).toBe(
    'station 8, minute 2026-10-20T08:01:00.000Z, seal 2, plate 8796093022219 of 2026-10-20T07:59:58.000Z: ' +
      'the file of the image was changed',
  )
  await files.remove(path)
  expect((await verify(api)).broken?.fault).toBe('the file of the image is missing')
})

test('seals outlive deleted vehicles; late and replaced ones get another seal, forged ones none', async () => {
  const api = await sealedStations()
  const { db } = api
  // An image that replaces another one in a later minute.
  const station = await api.station({ ...testStation, id: 9, shortName: 'S8 Three' })
  await send(station, [car(1)])
  await sendImage(station, car(1), 'front', await jpeg(1))
  await sealAt(api, '08:08:10')
  await sendImage(station, car(1), 'front', await jpeg(2))
  // Committed two minutes late, or by a process whose clock is behind.
  api.clock.now = new Date('2026-10-20T08:05:20Z')
  await send(station, [car(2)])
  await sealAt(api, '08:12:00')
  expect(await verify(api)).toMatchObject({ seals: 8, items: 33, broken: null })
  await sealAt(api, '09:30:00')
  expect(await verify(api)).toMatchObject({ seals: 9, items: 34, broken: null })
  const minutes = (await passageSealsAfter(db, 9, 0, 10)).map(({ minute }) => minute.toISOString().slice(11, 16))
  expect(minutes).toEqual(['08:05', '08:08', '08:05'])

  // A clock that was an hour ahead and is set back: sealing goes on at once.
  await sealAt(api, '10:00:00')
  api.clock.now = new Date('2026-10-20T09:40:00Z')
  await sealPassages(db, api.clock.now)
  await send(station, [car(3)])
  await sealAt(api, '09:44:00')
  expect(await verify(api)).toMatchObject({ seals: 10, items: 35, broken: null })

  // After the time for late ones a row without a seal is a forged one.
  await sealAt(api, '12:20:00')
  await db.execute(sql`
    insert into vehicle (location_id, created_at, id, received_at, lane_number, ctg8p1, violations)
    select 9, created_at, id + 100, received_at, lane_number, ctg8p1, violations from vehicle
    where id = ${vehicleId(9, 1)}`)
  await db.execute(sql`
    insert into vehicle_detail (location_id, created_at, id, evidence)
    select location_id, created_at, id + 100, evidence from vehicle_detail where id = ${vehicleId(9, 1)}`)
  expect((await verify(api)).broken).toEqual({
    locationId: 9,
    minute: new Date('2026-10-20T08:05:00Z'),
    number: null,
    item: { id: vehicleId(9, 101), createdAt: new Date('2026-10-20T07:59:58.000Z'), type: null },
    fault: 'the vehicle has no seal',
  })

  // Deleted with their retention: only the seals are left.
  await db.query(raw('delete from vehicle; delete from vehicle_detail; delete from vehicle_image'))
  const kept = { vehiclesSince: api.clock.now, imagesSince: api.clock.now }
  expect(await verify(api, kept)).toMatchObject({ seals: 10, items: 35, broken: null })
  expect((await verify(api)).broken).toMatchObject({ locationId: 7, number: 1, fault: 'the vehicle is missing' })
})

test('names what was inserted or replaced with a time of receipt that is never sealed', async () => {
  const api = await sealedStations()
  const { db } = api
  await sealAt(api, '14:00:00', '2026-10-21')
  // Received in the minute in which the verification begins.
  const inMinute = new Date('2026-10-20T08:01:05Z')
  expect((await verify(api, NOTHING_KEPT, inMinute)).broken).toBeNull()

  await db.query(raw('create table kept_image as table vehicle_image'))
  const image = `id = ${vehicleId(7, 1)} and type = ${imageTypes.indexOf('front') + 1}`
  const forgeImage = (received: string) =>
    db.query(raw(`update vehicle_image set sha256 = sha256('forged'), received_at = '${received}' where ${image}`))
  await forgeImage('2099-01-01T00:00:00Z')
  expect((await verify(api)).broken).toEqual({
    locationId: 7,
    minute: new Date('2099-01-01T00:00:00Z'),
    number: null,
    item: { id: vehicleId(7, 1), createdAt: new Date('2026-10-20T07:59:58.000Z'), type: 'front' },
    fault: 'the image was received in the future',
  })
  await forgeImage('2026-10-20T09:00:00Z')
  expect((await verify(api)).broken?.fault).toBe('the image has no seal')
  await db.query(
    raw(`update vehicle_image set sha256 = k.sha256, received_at = k.received_at from kept_image k where
    vehicle_image.id = k.id and vehicle_image.type = k.type and vehicle_image.location_id = k.location_id`),
  )
  expect((await verify(api)).broken).toBeNull()

  /** A vehicle of the second day. */
  const insertVehicle = async (received: string, evidence: string) => {
    await db.query(raw(`delete from vehicle where id = 77; delete from vehicle_detail where id = 77`))
    await db.query(
      raw(`
      insert into vehicle (location_id, created_at, id, received_at, lane_number, ctg8p1, violations)
      values (7, '2026-10-21T09:59:00Z', 77, '${received}', 1, 1, 0)`),
    )
    if (evidence)
      await db.query(
        raw(`
        insert into vehicle_detail (location_id, created_at, id, evidence)
        values (7, '2026-10-21T09:59:00Z', 77, ${evidence})`),
      )
  }
  const item = { id: 77, createdAt: new Date('2026-10-21T09:59:00Z'), type: null }
  for (const [received, evidence, fault] of [
    ['2026-10-21T10:00:00Z', 'null', 'the vehicle has no record'],
    ['2026-10-21T10:00:00Z', '', 'the vehicle has no record'],
    ['2026-10-21T10:00:00Z', "sha256('forged')", 'the vehicle has no seal'],
    ['2026-10-19T10:00:00Z', 'null', 'the vehicle was received before the first seal although it was measured later'],
    ['2027-01-01T10:00:00Z', "sha256('forged')", 'the vehicle was received in the future'],
  ] as const) {
    await insertVehicle(received, evidence)
    expect((await verify(api)).broken).toMatchObject({ locationId: 7, number: null, item, fault })
  }

  // Of a version without records, which ran beside this one on the day of the upgrade; or deleted with its retention.
  await insertVehicle('2026-10-20T09:00:00Z', 'null')
  expect((await verify(api)).broken).toBeNull()
  await insertVehicle('2026-10-21T10:00:00Z', '')
  const kept = { vehiclesSince: new Date('2026-10-21T09:59:30Z'), imagesSince: new Date(0) }
  expect((await verify(api, kept)).broken).toBeNull()
})
