import { gunzipSync } from 'node:zlib'
import type { Endpoint } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { change } from '@rogatka/contract/systems.ts'
import * as vms from '@rogatka/contract/vms.ts'
import { measuredContent } from '@rogatka/domain/datex/vehicles.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createHttp } from '../core/http.ts'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { type Client, eventually, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { vehiclesSince } from '../vehicle/public-api.ts'
import type { Timing } from '../vms/ntcip1203/driver.ts'
import { startSimulatedSigns } from '../vms/ntcip1203/testing.ts'
import { injectFaults, showSimulated } from '../vms/simulated/queries.ts'
import { testSigns, until } from '../vms/testing.ts'
import { bytesOf, deleteOldStates } from './publish.ts'
import { datexRoutes } from './routes.ts'
import { keyOf, parseDatex, publications } from './testing.ts'

const { sites, measured, signs, signStatus } = publications

const otherStation = { ...testStation, id: 8, shortName: 'S8 Inna', name: 'Inna & <dalsza>\u0001' }

/** Reads a publication, if it is sent. */
async function read(client: Client, endpoint: Endpoint, headers: Record<string, string> = {}, query?: object) {
  const { status, bytes, headers: received } = await client.call(endpoint, { headers, query: query as never })
  const modified = received['last-modified'] as string | undefined
  return { status, modified, headers: received, bytes, ...(status === 200 && parseDatex(bytes)) }
}

const since = (at: string | undefined) => ({ 'if-modified-since': at as string })

/** References of the vehicles in a document, and their plates. */
const vehiclesIn = ({ texts }: Awaited<ReturnType<typeof read>>) => texts?.('//com:anonymizedVehicleReference')
const platesIn = ({ texts }: Awaited<ReturnType<typeof read>>) => texts?.('//com:vehicleRegistrationPlateIdentifier')

test('publishes sites and vehicles of the stations of a key, with or without plates', async () => {
  const api = await testApi({ ownerCompany: 'Zarząd "Dróg"' })
  const [here, there] = [await api.station(), await api.station(otherStation)]
  await api.db.execute(sql`update location set latitude = 52.2297, longitude = 21.0122 where id = 7`)
  await send(here, [
    car(1, { createdAt: '2026-10-20T07:54:50.000Z' }),
    car(2, { createdAt: '2026-10-20T07:59:50.500Z', laneNumber: 2, plateLpr: null }),
    car(3, { createdAt: '2026-10-20T07:57:00.250Z', euro: { make: 'A&B', catalogue_number: 'KAT-7781' } }),
    car(4, { createdAt: '2026-10-20T08:00:01.000Z' }),
  ])
  await send(there, [car(5, { createdAt: '2026-10-20T07:59:58.000Z' })])
  const full = await keyOf(api)
  const both = await keyOf(api, { locationIds: [7, 8] })
  const masked = await keyOf(api, { plates: false, locationIds: [7, 8] })
  const [user, anonymised] = [await api.as('CurrentMeasurements'), await api.as('CurrentMeasurements', 'Anonymization')]

  const table = await read(full, sites)
  expect(table.headers['content-type']).toBe('application/xml; charset=utf-8')
  expect(table.headers['cache-control']).toBe('no-store')
  expect(table.texts?.('//roa:measurementSite/@id')).toEqual(['7-L1', '7-L2'])
  expect(table.texts?.('//roa:accuracy')).toEqual(['7'])
  expect(table.texts?.('//com:nationalIdentifier')).toEqual(['Zarząd "Dróg"'])
  expect(table.texts?.('//com:publicationTime')).toEqual(['2026-10-20T08:00:00.000Z'])
  const all = await read(user, sites)
  expect(all.texts?.('//roa:measurementSite/@id')).toEqual(['7-L1', '7-L2', '8-L1', '8-L2'])
  // Only one of the two stations has coordinates; control characters have no place in XML.
  expect(all.texts?.('//roa:measurementSite[.//loc:latitude]/@id')).toEqual(['7-L1', '7-L2'])
  expect(all.texts?.('//roa:measurementSite[@id = "8-L1"]/roa:measurementSiteName')).toEqual(['Inna & <dalsza>'])

  // The first one is too old, but the time to it counts; the fourth has not been measured yet.
  const [first, second, third] = [3, 2, 5].map((sequence, at) => String(vehicleId(at === 2 ? 8 : 7, sequence)))
  const own = await read(full, measured)
  expect(vehiclesIn(own)).toEqual([first, second])
  expect(platesIn(own)).toEqual(['WX10003'])
  expect(own.texts?.('//roa:timeHeadway')).toEqual(['130.25'])
  expect(own.texts?.('//roa:siteMeasurements/roa:measurementSiteReference/@id')).toEqual(['7-L1', '7-L2'])
  expect(own.texts?.('//com:confidentiality')).toEqual(['restrictedToAuthorities'])
  expect(own.texts?.('//com:vehicleManufacturer')).toEqual(['A&B'])
  const hidden = [await read(masked, measured), await read(anonymised, measured)]
  for (const document of hidden) {
    expect(vehiclesIn(document)).toEqual([first, second, third])
    expect(document.texts?.('//com:confidentiality')).toEqual(['noRestriction'])
    expect(document.bytes.toString()).not.toMatch(/WX|KAT/)
  }
  expect(platesIn(await read(user, measured))).toEqual(['WX10003', 'WX10005'])

  // It refers to the table that the same caller gets.
  for (const caller of [full, both, masked, user]) {
    const [version] = (await read(caller, sites)).texts?.('//roa:measurementSiteTable/@version') ?? []
    const documents = [await read(caller, measured), await read(caller, measured, {}, { locations: '7' })]
    for (const document of documents)
      expect(document.texts?.('//roa:measurementSiteTableReference/@version')).toEqual([version])
  }
  expect(vehiclesIn(await read(both, measured, {}, { locations: '8' }))).toEqual([third])
  expect(vehiclesIn(await read(user, measured, {}, { locations: '8,99' }))).toEqual([third])
  expect((await read(full, measured, {}, { locations: '8' })).status).toBe(403)
  expect((await read(user, measured, {}, { locations: '99' })).status).toBe(404)
  expect([(await read(await api.as('Vms'), sites)).status, (await read(api.anyone, sites)).status]).toEqual([403, 401])

  // A vehicle of a lane that was removed meanwhile would refer to a site that does not exist.
  await api.db.execute(sql`delete from lane where location_id = 7 and lane_number = 2`)
  expect(vehiclesIn(await read(full, measured))).toEqual([first])
  await api.db.execute(sql`update location set closed_at = now() where id = 7`)
  expect([(await read(full, sites)).status, (await read(full, measured)).status]).toEqual([404, 404])
})

test('returns 304 until the document of the key changes', async () => {
  const api = await testApi()
  const station = await api.station()
  const key = await keyOf(api)
  const other = await testApi({}, { name: api.name, clock: api.clock })
  const secondProcess = other.client(key.token)
  const tick = (ms: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + ms)
  }
  tick(300)
  const empty = await read(key, measured)
  expect([empty.status, empty.modified]).toEqual([200, 'Tue, 20 Oct 2026 08:00:00 GMT'])
  expect(empty.texts?.('//roa:siteMeasurements/roa:measurementSiteReference/@id')).toEqual(['7-L1', '7-L2'])
  const unchanged = await read(key, measured, since(empty.modified))
  expect([unchanged.status, unchanged.bytes.length, unchanged.modified]).toEqual([304, 0, empty.modified])
  expect(unchanged.headers['content-type']).toBeUndefined()
  tick(20_000)
  for (const date of ['Tue, 20 Oct 2026 08:00:20 GMT', 'Tuesday, 20-Oct-26 08:00:10 GMT', 'Tue Oct 20 08:00:00 2026'])
    expect((await read(secondProcess, measured, since(date))).status, date).toBe(304)
  for (const date of [
    '2026-10-20T08:00:10Z',
    'Tue, 20 Oct 2026 08:00:10 +0000',
    'Tue, 32 Oct 2026 08:00:10 GMT',
    'Fri, 31 Feb 2026 08:00:10 GMT',
    'Tue, 20 Oct 2026 25:00:10 GMT',
    // The future, and a second before the change.
    'Tue, 20 Oct 2026 08:00:21 GMT',
    'Tue, 20 Oct 2026 07:59:59 GMT',
    // Of the last century.
    'Tuesday, 20-Oct-97 08:00:10 GMT',
    '',
  ])
    expect((await read(key, measured, since(date))).status, date).toBe(200)
  // A validator that it does not have.
  const match = { ...since(empty.modified), 'if-none-match': '"x"' }
  expect((await read(key, measured, match)).status).toBe(200)

  // Two changes within a second have different times; the second one is not announced before it has come.
  const at = (ms: number) => new Date(api.clock.now.getTime() + ms).toISOString()
  await send(station, [car(1, { createdAt: at(-5_000) })])
  const one = await read(key, measured, since(empty.modified))
  expect([one.status, one.modified]).toEqual([200, 'Tue, 20 Oct 2026 08:00:20 GMT'])
  await send(station, [car(2, { createdAt: at(-2_000) })])
  const two = await read(secondProcess, measured, since(one.modified))
  expect([two.status, two.modified, vehiclesIn(two)?.length]).toEqual([200, undefined, 2])
  expect((await read(key, measured, since('Tue, 20 Oct 2026 08:00:21 GMT'))).status).toBe(200)
  tick(1_000)
  const three = await read(key, measured, since(one.modified))
  expect([three.status, three.modified]).toEqual([200, 'Tue, 20 Oct 2026 08:00:21 GMT'])
  expect((await read(secondProcess, measured, since(three.modified))).status).toBe(304)

  // A vehicle that is committed late, and was received before the last document.
  const late = Promise.withResolvers<void>()
  const inserted = Promise.withResolvers<void>()
  const transaction = api.db.transaction(async (db) => {
    await db.execute(sql`
      insert into vehicle (location_id, created_at, id, lane_number, ctg8p1, violations)
      values (7, ${new Date(at(-3_000))}::timestamptz, ${vehicleId(7, 3)}, 1, 7, 0)`)
    inserted.resolve()
    await late.promise
  })
  await inserted.promise
  tick(10_000)
  expect((await read(key, measured, since(three.modified))).status).toBe(304)
  late.resolve()
  await transaction
  const four = await read(key, measured, since(three.modified))
  expect([four.status, vehiclesIn(four)?.length]).toEqual([200, 3])

  // What leaves the feed is a change, too.
  tick(300_000)
  const left = await read(key, measured, since(four.modified))
  expect([left.status, vehiclesIn(left)?.length]).toEqual([200, 0])

  // A key that reads less, or more stations, between two polls.
  await send(station, [car(4, { createdAt: at(-1_000) })])
  tick(5_000)
  const withPlate = await read(key, measured)
  expect(platesIn(withPlate)).toHaveLength(1)
  const table = await read(key, sites)
  expect((await read(key, sites, since(table.modified))).status).toBe(304)
  await api.station(otherStation)
  tick(5_000)
  expect((await read(key, sites, since(table.modified))).status).toBe(304)
  const admin = await api.as('Exchange', 'CurrentMeasurements', 'Vms')
  const body = {
    name: 'B',
    locationIds: [7, 8],
    rights: ['CurrentMeasurements' as const],
    plates: false,
    validUntil: '2026-12-31',
  }
  expect((await admin.call(change, { params: { id: key.id }, body })).status).toBe(200)
  const masked = await read(key, measured, since(withPlate.modified))
  expect([masked.status, vehiclesIn(masked)?.length, platesIn(masked)]).toEqual([200, 1, []])
  const wider = await read(key, sites, since(table.modified))
  expect(wider.texts?.('//roa:measurementSite/@id')).toHaveLength(4)
  expect((await read(key, signs)).status).toBe(403)
  const version = (document: typeof table) => document.texts?.('string(//roa:measurementSiteTable/@version)')[0] ?? ''
  expect(version(wider) > version(table)).toBe(true)

  // The selections of a client have a bound.
  await api.db.execute(sql`
    insert into datex_state (publication, holder, selection, digest, modified_at, seen_at)
    select 'measured', ${key.id}, int4send(n), '', ${api.clock.now}::timestamptz, ${api.clock.now}::timestamptz
    from generate_series(1, 110) n`)
  expect((await read(key, measured, {}, { locations: '7,99' })).status).toBe(200)
  const kept = await api.db.query(sql`select 1 from datex_state where publication = 'measured'`)
  expect(kept).toHaveLength(100)

  // Versions do not begin again when the state was deleted.
  const states = () => api.db.query(sql`select 1 from datex_state`)
  expect((await states()).length).toBeGreaterThan(1)
  tick(29 * 86_400_000)
  await deleteOldStates(api.db, api.clock.now)
  expect((await states()).length).toBeGreaterThan(1)
  tick(2 * 86_400_000)
  await deleteOldStates(api.db, api.clock.now)
  expect(await states()).toEqual([])
  expect(version(await read(key, sites)) > version(wider)).toBe(true)
})

/** Inserts cars of the last minutes, 25 ms apart; the highest sequence is the newest. */
const insertCars = ({ db, clock }: TestApi, count: number) =>
  db.execute(sql`
    insert into vehicle (location_id, created_at, id, lane_number, ctg8p1, violations, total_load)
    select 7, ${clock.now}::timestamptz - (${count} - n) * interval '25 milliseconds', ${vehicleId(7, 0)}::bigint + n,
           1 + n % 2, 7, 0, n
    from generate_series(1, ${count}::int) n`)

test('publishes the newest 10,000 vehicles, compressed on request', async () => {
  const api = await testApi()
  // Creates the partition.
  await send(await api.station(), [car(20_000, { createdAt: '2026-10-20T07:00:00.000Z' })])
  const key = await keyOf(api)
  await insertCars(api, 10_001)
  const plain = await read(key, measured)
  expect(plain.value?.('count(//com:anonymizedVehicleReference)')).toBe(10_000)
  expect(plain.value?.('sum(//com:grossVehicleWeight)')).toBeCloseTo((10_001 * 10_002) / 2 / 1_000 - 0.001, 3)
  expect(plain.texts?.('(//com:anonymizedVehicleReference)[1]')).toEqual([String(vehicleId(7, 2))])
  const { headers, bytes } = await key.call(measured, { headers: { 'accept-encoding': 'gzip' } })
  expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'accept-encoding'])
  expect(bytes.length * 10).toBeLessThan(plain.bytes.length)
  expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true)
})

test('yields to the event loop while 10,000 vehicles are composed', async () => {
  const api = await testApi()
  await send(await api.station(), [car(1)])
  const window = { from: new Date(api.clock.now.getTime() - 300_000), to: api.clock.now }
  const [vehicle] = await vehiclesSince(api.db, [7], window, { limit: 1, maxHeadwayMs: 600_000 })
  const vehicles = Array.from({ length: 10_000 }, () => vehicle as NonNullable<typeof vehicle>)
  let [turns, isDone, bytes] = [0, false, 0]
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const content = measuredContent({ sites: [], sitesVersion: '1', vehicles, withPlates: true, at: api.clock.now })
  for await (const part of bytesOf(content)) bytes += part.length
  isDone = true
  expect(bytes).toBeGreaterThan(10_000_000)
  // It yields after about 4 ms each time, and composing takes far longer than 20 ms.
  expect(turns).toBeGreaterThan(5)
})

/** A sign that does not answer is noticed sooner. */
const QUICK: Timing = { command: { timeoutMs: 1_000, retries: 1 }, poll: { timeoutMs: 500, retries: 0 } }

test('publishes signs with their texts and faults, masked for keys without plates', async () => {
  const { addresses, tell } = await startSimulatedSigns(1)
  const api = await testApi({}, undefined, undefined, QUICK)
  const { groupId, signIds } = await testSigns(api, addresses)
  const [full, masked] = [await keyOf(api), await keyOf(api, { plates: false })]
  await api.station(otherStation)
  const without = await keyOf(api, { locationIds: [8] })
  const operator = await api.as('CurrentMeasurements', 'Vms')
  const state = async () => (await operator.call(vms.groups)).body[0]?.vms ?? []
  await until(async () => (await state()).every(({ vmsStatus }) => vmsStatus.available))
  expect([(await read(without, signs)).status, (await read(without, signStatus)).status]).toEqual([404, 404])

  const table = await read(full, signs)
  expect(table.texts?.('//vms:vmsController/@id')).toEqual([String(groupId)])
  expect(table.texts?.('//vms:vms/@vmsIndex')).toEqual(['1', '2'])
  expect(table.texts?.('//vms:vmsLocation//com:value')).toEqual(['km 1+900', 'km 2+000'])
  expect(table.bytes.toString()).not.toMatch(/127\.0\.0\.1|10\.1\.1\.1/)
  const blank = await read(full, signStatus)
  expect(blank.texts?.('//vms:workingStatus')).toEqual(['blank', 'blank'])
  expect(blank.texts?.('//vms:vmsControllerTableReference/@version')).toEqual(
    table.texts?.('//vms:vmsControllerTable/@version'),
  )

  // The times of polls do not count as a change.
  api.clock.now = new Date(api.clock.now.getTime() + 5_000)
  await until(async () =>
    (await state()).every(({ vmsStatus }) => vmsStatus.answeredAt === api.clock.now.toISOString()),
  )
  expect((await read(full, signStatus, since(blank.modified))).status).toBe(304)

  await operator.call(vms.enableVariant, { params: { groupId, variantId: 1 } })
  await send(await api.station(), [car(1)])
  await operator.call(vms.showPlate, { params: { id: vehicleId(7, 1) } })
  const linesOf = async (key: Client) => (await read(key, signStatus)).texts?.('//vms:textLine[not(*)]')
  const shown = await read(full, signStatus, since(blank.modified))
  expect(shown.texts?.('//vms:textLine[not(*)]')).toEqual(['KONTROLA', 'KONTROLA', 'WX 10001'])
  expect(shown.texts?.('//com:confidentiality')).toEqual(['restrictedToAuthorities'])
  expect(shown.texts?.('//vms:timeLastSet')).toEqual([api.clock.now.toISOString(), api.clock.now.toISOString()])
  const anonymised = await api.as('Vms', 'Anonymization')
  expect([await linesOf(masked), await linesOf(anonymised)]).toEqual([
    ['KONTROLA', '***'],
    ['KONTROLA', '***'],
  ])
  expect((await read(masked, signStatus)).texts?.('//com:confidentiality')).toEqual(['noRestriction'])

  // A text of somebody else while the plate should be there.
  await showSimulated(api.db, signIds[1], '[jp3]WX 10001 & <b>', null)
  await until(async () => (await state())[1]?.shows?.kind === 'other')
  expect([await linesOf(full), await linesOf(masked)]).toEqual([
    ['KONTROLA', 'WX 10001 & <b>'],
    ['KONTROLA', '***'],
  ])
  await injectFaults(api.db, signIds[1], { faults: ['power', 'lamp'] })
  await until(async () => (await state())[1]?.vmsStatus.faults.length === 2)
  const faults = async () => {
    const { texts } = await read(full, signStatus)
    return texts?.('//vms:vmsFault[*]').map((text) => text.replace(/^[\dT:.-]+Z/, ''))
  }
  expect(await faults()).toEqual(['poweroutOfService', 'lampother', 'incorrectMessageDisplayed'])

  // One of each driver.
  await tell({ trouble: { id: 1, silent: true } })
  await injectFaults(api.db, signIds[1], { offline: true })
  await until(async () => (await state()).every(({ vmsStatus }) => !vmsStatus.available))
  const offline = await read(full, signStatus)
  expect(offline.texts?.('//vms:workingStatus')).toEqual(['notWorking', 'notWorking'])
  expect(offline.texts?.('//vms:vmsMessage')).toEqual([])
  api.clock.now = new Date(api.clock.now.getTime() + 120_000)
  expect(await faults()).toEqual(['unableToClearDown'])
})

test('returns 503 while the database hangs, and 200 afterwards', async () => {
  const api = await testApi()
  await api.station()
  const key = await keyOf(api)
  /** A server whose clients wait for so long. */
  const serve = async (timeoutMs?: number) => {
    const http = await createHttp(api.app.api.config)
    onTestFinished(() => http.close())
    datexRoutes({ ...api.app.api, http }, timeoutMs)
    const address = await http.listen({ port: 0 })
    return async (options: RequestInit = {}) => {
      const headers = { authorization: `Bearer ${key.token}` }
      const response = await fetch(`${address}/api/v1/datex/measured`, { headers, ...options })
      await response.arrayBuffer()
      return response.status
    }
  }
  const [quick, patient] = [await serve(200), await serve()]
  expect([await quick(), await patient()]).toEqual([200, 200])
  const gone = new AbortController()
  const aborted = await api.db.transaction(async (db) => {
    await db.execute(sql`lock table vehicle in access exclusive mode`)
    expect(await Promise.all([quick(), quick()])).toEqual([503, 503])
    // Clients that leave meanwhile, as many as may read at a time.
    const leaving = [1, 2].map(() => patient({ signal: gone.signal }).catch(() => 'aborted'))
    await eventually(async () => {
      const waiting = await api.db.query(sql`
        select 1 from pg_locks where relation = 'vehicle'::regclass and not granted`)
      expect(waiting).toHaveLength(4)
    })
    gone.abort()
    return Promise.all(leaving)
  })
  expect(aborted).toEqual(['aborted', 'aborted'])
  for (let time = 0; time < 3; time++)
    expect([await quick(), await patient(), await patient({ method: 'HEAD' })]).toEqual([200, 200, 200])
})
