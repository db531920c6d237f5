import { userLog } from '@rogatka/contract/activity.ts'
import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { API_BASE, type Endpoint } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { list as listOffenders } from '@rogatka/contract/offenders.ts'
import { ping } from '@rogatka/contract/session.ts'
import { stepUp } from '@rogatka/contract/session-factors.ts'
import { add as addSystem } from '@rogatka/contract/systems.ts'
import {
  checkIntegrity,
  integrity,
  readPurpose,
  removePurpose,
  searchTrail,
  setPurpose,
  trail,
  trailReport,
  trailSummary,
} from '@rogatka/contract/trail.ts'
import { imageVersion } from '@rogatka/contract/vehicle.ts'
import { exportPlates, plates } from '@rogatka/contract/wanted.ts'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { registeredEndpoints } from './core/route.ts'
import { insertSession } from './core/session-queries.ts'
import { hashToken, newToken } from './core/sessions.ts'
import { raw, sql } from './core/statement.ts'
import { dropExpiredTrail } from './core/trail-partitions.ts'
import { anchorChains } from './evidence/anchors.ts'
import { sealLogs } from './evidence/sealing.ts'
import { car, jpeg, send, sendImage } from './ingest/testing.ts'
import { fetchReport, parseCsv, readSheets } from './reports/testing.ts'
import { setRole } from './roles/user-role-queries.ts'
import { inject } from './testing/inject.ts'
import { type Client, eventually, PASSWORD, type TestApi, testApi } from './testing/test-api.ts'
import { macOf, trailOf } from './testing/trail.ts'
import { type Answer, deviceOf, EVERYTHING, seen, telling, type WalkScene } from './testing/walk.ts'

/** Fields of responses that hold plates. */
const PLATE_FIELDS = ['plateLpr', 'plate', 'plates', 'entryPlate']

/** The reference of a call, as in the trail. */
const callOf = ({ method, path }: Endpoint) => `${method} ${path}`

/**
 * After each answer: whatever tells has left exactly one line, or one of its visit. Images belong to the answer that gave
 * their address.
 */
function assertWrittenDown(api: TestApi) {
  let before: number | undefined
  const visits = new Set<string>()
  return async ({ endpoint, name, isTelling }: Answer) => {
    const lines = await trailOf(api)
    const added = lines.slice(before ?? 0).filter(({ call }) => call === callOf(endpoint))
    before = lines.length
    if (!isTelling) return
    expect(endpoint.looks, `${name} tells and has no looks`).toBeDefined()
    if (endpoint.path === imageVersion.path) expect(added, name).toEqual([])
    else if (endpoint.looks !== 'visit') expect(added.length, name).toBe(1)
    else {
      const kind = endpoint.path.split('/')[1] ?? ''
      expect(added.length, name).toBe(visits.has(kind) ? 0 : 1)
      visits.add(kind)
    }
  }
}

async function systemOf({ api }: WalkScene): Promise<Client> {
  const rights = ['ArchiveMeasurements', 'CurrentMeasurements', 'Vms'] as const
  const admin = await api.as('Exchange', ...rights)
  const body = { name: 'KAS', locationIds: [7], rights: [...rights], plates: true, validUntil: '2026-12-31' }
  return api.client((await admin.call(addSystem, { body })).body.key)
}

/** Creating and reading a hundred files takes a while. */
const TIMEOUT_MS = 120_000

test(
  'records each access of a user, a device or a system to an identified vehicle once',
  async () => {
    const passage = await seen()
    const { leaks } = await telling(
      await passage.api.withPermissions(EVERYTHING),
      passage,
      assertWrittenDown(passage.api),
    )
    const device = await deviceOf(passage, false)
    const { leaks: toDevice } = await telling(device, passage, assertWrittenDown(passage.api))
    const system = await systemOf(passage)
    const { leaks: toSystem } = await telling(system, passage, assertWrittenDown(passage.api))
    expect(toSystem).toEqual(
      expect.arrayContaining(['/arch-vehicles', '/arch-vehicles/:id', '/current-vehicles', '/datex/measured']),
    )
    expect(toDevice).toEqual([
      '/current-vehicles',
      '/current-vehicles/stream',
      '/vehicle-images/:viewer/:id/:createdAt/:type/:sha256/:signature/:version, the image',
      '/wanted-hits/open',
      '/wanted-hits/stream',
    ])
    // Parquet files have no plates for anybody.
    expect(leaks.filter((leak) => /arch-vehicles.*(export|parquet)/.test(leak))).toEqual([])
    expect(leaks).toEqual(
      expect.arrayContaining([
        '/current-vehicles',
        '/current-vehicles/:id',
        '/current-vehicles/:id/images/:number, the image',
        '/current-vehicles/:id/report pdf',
        '/current-vehicles/:id/report zip, the image',
        '/arch-vehicles',
        '/arch-vehicles/:id',
        '/arch-vehicles/:id/images/:number, the image',
        '/arch-vehicles/plates',
        `${imageVersion.path}, the image`,
        '/arch-vehicles/report pdf',
        '/arch-vehicles/report csv',
        '/arch-vehicles/report csv-with-image, the image',
        '/arch-vehicles/report xlsx',
        '/audit',
        '/datex/measured',
        '/inspections',
        '/inspections/:id',
        '/inspections/:id/images/:type, the image',
        '/inspections/:id/report pdf',
        '/quarantine',
        '/users/:id/log pdf',
      ]),
    )
  },
  TIMEOUT_MS,
)

test(
  'a HEAD request leaves the line of its GET, as its headers tell how much was found',
  async () => {
    const passage = await seen()
    const { api } = passage
    const user = await api.withPermissions(EVERYTHING)
    const answers: Answer[] = []
    await telling(user, passage, async (answer) => {
      // Streams have no HEAD.
      if (answer.isTelling && answer.options && !answer.endpoint.events) answers.push(answer)
    })
    const token = newToken()
    const opened = { tokenHash: hashToken(token), userId: user.userId, ip: '127.0.0.1', userAgent: null }
    await insertSession(api.db, opened, api.clock.now)
    const other = api.client(token)
    const written = assertWrittenDown(api)
    for (const answer of answers) {
      await written({ ...answer, isTelling: false })
      const { status, bytes } = await other.call(
        { ...answer.endpoint, method: 'HEAD' as 'GET' },
        answer.options as never,
      )
      expect([status, bytes.length], answer.name).toEqual([200, 0])
      await written(answer)
    }
    expect(answers.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['/arch-vehicles', '/current-vehicles', '/arch-vehicles/report csv', '/audit']),
    )
  },
  TIMEOUT_MS,
)

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: Schema | boolean
}

const branches = (schema: Schema): Schema[] => schema.anyOf?.flatMap(branches) ?? [schema]
const isText = (schema: Schema) =>
  branches(schema).some(({ type, items }) => type === 'string' || items?.type === 'string')

/** Whether a response may hold a plate: in a field for one, or in one of any content. */
const mayTell = (schema: Schema): boolean =>
  branches(schema).some(({ type, properties = {}, items, additionalProperties }) => {
    const fields = Object.entries(properties)
    if (type === undefined && fields.length === 0) return true
    if (fields.some(([name, field]) => PLATE_FIELDS.includes(name) && isText(field))) return true
    const below = [...fields.map(([, field]) => field), ...(items ? [items] : [])]
    return below.some(mayTell) || (typeof additionalProperties === 'object' && mayTell(additionalProperties))
  })

const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

/** Binary responses without vehicles. */
const WITHOUT_VEHICLES = [
  'GET /arch-vehicles/export',
  'GET /datex/signs',
  'GET /datex/sites',
  'GET /lane-certificates/:id/file',
  'GET /vms-contents/:id/image',
]

/** They return what their user has typed or sent, and nothing else of vehicles. */
const OWN_CONTENT = ['GET /arch-vehicles/searches/:id', 'GET /current-vehicles/searches/:id', 'POST /evidence/stamp']

test('every endpoint whose response has a field for plates, any content or images declares `looks`', async () => {
  const api = await testApi()
  const undeclared = registeredEndpoints(api.app.api).filter((endpoint) => {
    if (endpoint.looks || endpoint.access === 'station' || OWN_CONTENT.includes(callOf(endpoint))) return false
    if (endpoint.binary) return !WITHOUT_VEHICLES.includes(callOf(endpoint))
    return [endpoint.response, ...Object.values(endpoint.events ?? {})].some((part) => part && mayTell(schemaOf(part)))
  })
  expect(undeclared.map(callOf)).toEqual([])
})

const RANGE = { dateTimeStart: '2026-10-20T06:00:00Z', dateTimeEnd: '2026-10-20T09:00:00Z', locations: '7' }

/** A vehicle with an image, and a user who sees it. */
async function withVehicle(settings: Parameters<typeof testApi>[0] = {}) {
  const api = await testApi(settings)
  const station = await api.station()
  const measured = car(1, { plateLpr: 'WX 12345', createdAt: '2026-10-20T07:59:50.000Z' })
  await send(station, [measured])
  await sendImage(station, measured, 'front', await jpeg())
  const user = await api.as('ArchiveMeasurements', 'CurrentMeasurements', 'Offenders')
  const key = { params: { id: vehicleId(7, 1) }, query: { locationId: 7, createdAt: measured.createdAt } }
  await expect.poll(async () => (await user.call(current.list, { query: {} })).body.content.length).toBe(1)
  return { api, user, key }
}

test('sends no plate and no image whose line cannot be written, and sends them once it can', async () => {
  const { api, user, key } = await withVehicle()
  const [path] = (await user.call(archive.detail, key)).body.images?.map((image) => image.path) ?? []
  // Then the line of the vehicle is begun before the vehicle is read.
  await user.call(archive.search, { query: RANGE })
  const lines = (await trailOf(api)).length
  await api.db.execute(sql`alter table access_trail add constraint closed check (id < 0) not valid`)
  const other = await api.as('ArchiveMeasurements', 'CurrentMeasurements')
  const imageUrl = `${API_BASE}${path}/full`
  const imageOf = ({ token }: Client, method: 'GET' | 'HEAD' = 'GET') =>
    inject(api.app.api.http, { method, url: imageUrl, headers: { authorization: `Bearer ${token}` } })
  for (const [endpoint, options] of [
    [archive.detail, key],
    [archive.search, { query: RANGE }],
    [current.list, { query: {} }],
    [current.stream, { query: {} }],
  ] as const) {
    const refused = await other.call(endpoint as typeof archive.detail, options as typeof key)
    expect(refused.status, endpoint.path).toBe(503)
    expect(refused.errors.map(({ code }) => code)).toEqual(['unavailable'])
  }
  expect((await imageOf(other)).statusCode).toBe(503)
  expect((await imageOf(other, 'HEAD')).statusCode).toBe(503)
  // What belongs to a line that is there needs no other.
  expect((await imageOf(user)).statusCode).toBe(200)
  await api.db.execute(sql`alter table access_trail drop constraint closed`)
  expect(await trailOf(api)).toHaveLength(lines)
  // An address that somebody else passed on: the first of its images leaves a line, also by HEAD.
  expect((await imageOf(other, 'HEAD')).statusCode).toBe(200)
  for (const _ of [1, 2]) expect((await imageOf(other)).statusCode).toBe(200)
  expect((await trailOf(api)).slice(lines)).toMatchObject([{ kind: 'image', userId: other.userId }])
})

test('the line of a vehicle that was listed is written ahead, and another one if its plate has changed', async () => {
  const { api, user, key } = await withVehicle()
  const secret = await api.app.api.trail.key()
  const anonymised = await api.as('ArchiveMeasurements', 'Anonymization')
  const shownSince = async (from: number) =>
    (await trailOf(api)).slice(from).map(({ kind, plates, shown }) => [kind, plates, shown])
  const opened = async () => {
    const from = (await trailOf(api)).length
    expect((await user.call(archive.detail, key)).status).toBe(200)
    return shownSince(from)
  }
  const line = (plate: string) => ['detail', 1, [macOf(secret, plate)]]
  // Whose list has no plate.
  await anonymised.call(archive.search, { query: RANGE })
  expect(await opened()).toEqual([line('WX12345')])
  await user.call(archive.search, { query: RANGE })
  expect(await opened()).toEqual([line('WX12345')])
  await api.db.execute(sql`update vehicle set plate_lpr = 'KR 777'`)
  // Written ahead, and again as it was shown.
  expect(await opened()).toEqual([line('WX12345'), line('KR777')])
  await user.call(archive.search, { query: RANGE })
  await api.db.execute(sql`delete from vehicle`)
  const from = (await trailOf(api)).length
  expect((await user.call(archive.detail, key)).status).toBe(404)
  // An answer that shows nothing does not wait for it.
  await expect.poll(() => shownSince(from)).toEqual([line('KR777')])
})

test('many visits that begin at the same time are written together', async () => {
  const { api, user } = await withVehicle()
  // As slow as a commit on a busy disk: one after the other they would take longer than an answer waits.
  await api.db.query(
    raw(`
    create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.15); return null; end $$;
    create trigger slow after insert on access_visit for each statement execute function slow()`),
  )
  const speeds = Array.from({ length: 60 }, (_, index) => index + 1)
  const answers = await Promise.all(speeds.map((minSpeed) => user.call(current.list, { query: { minSpeed } })))
  expect(answers.map(({ status }) => status)).toEqual(speeds.map(() => 200))
  const opened = (await trailOf(api)).filter(({ isVisit, criteria }) => isVisit && criteria.minSpeed)
  expect(opened.map(({ criteria }) => Number(criteria.minSpeed)).sort((a, b) => a - b)).toEqual(speeds)
})

test('a visit to the live list has one line, and at its end what it has shown', async () => {
  const { api, user } = await withVehicle()
  const key = await api.app.api.trail.key()
  const query = { minSpeed: 1 }
  const station = await api.station()
  for (let sequence = 2; sequence <= 4; sequence++) {
    api.clock.now = new Date(api.clock.now.getTime() + 20_000)
    // The last one is slower than the filter of the visit allows.
    const speed = sequence === 4 ? 0 : 80
    await send(station, [car(sequence, { plateLpr: `GD ${sequence}`, createdAt: api.clock.now.toISOString(), speed })])
    await user.call(current.list, { query })
  }
  // A search by plate is another question, also by the check for news.
  await user.call(current.check, { query: { ...query, plateLpr: 'GD 2' } })
  const visits = (await trailOf(api)).filter(({ criteria }) => criteria.minSpeed === 1)
  expect(visits.map(({ kind, isVisit, asked }) => [kind, isVisit, asked])).toEqual([
    ['live', true, []],
    ['live', true, ['GD 2']],
  ])
  const ends = () =>
    api.db.query<{ results: number; plates: number; shown: string[]; endedAt: Date }>(sql`
      select e.results, e.plates, e.ended_at as "endedAt",
             (select array_agg(encode(h, 'hex') order by h) from unnest(e.shown) h) as shown
      from access_visit_end e where e.id = any(${visits.map(({ id }) => String(id))}::bigint[]) order by e.id`)
  const close = () => closeVisits(api)
  await close()
  expect(await ends()).toEqual([])
  const endedAt = api.clock.now
  api.clock.now = new Date(api.clock.now.getTime() + 120_000)
  await close()
  const macs = (...forms: string[]) => forms.map((form) => macOf(key, form)).sort()
  expect(await ends()).toEqual([
    { results: 3, plates: 3, shown: macs('GD2', 'GD3', 'WX12345'), endedAt },
    { results: 1, plates: 1, shown: macs('GD2'), endedAt },
  ])
})

const closeVisits = ({ app }: TestApi) => app.jobs.recurring.find(({ name }) => name === 'close-access-visits')?.work()

const liveLines = async (api: TestApi) => (await trailOf(api)).filter(({ kind }) => kind === 'live').length

test('a visit goes on although the clock of another process is two minutes ahead', async () => {
  const { api, user } = await withVehicle()
  api.clock.database = true
  await closeVisits(api)
  const ahead = new Date(api.clock.now.getTime() + 120_000)
  const other = await testApi({}, { name: api.name, clock: { now: ahead, database: true } })
  const before = await liveLines(api)
  const query = { minSpeed: 1 }
  await user.call(current.list, { query })
  await closeVisits(other)
  await closeVisits(api)
  await closeVisits(other)
  expect(await api.db.query(sql`select from access_visit_end`)).toEqual([])
  await user.call(current.list, { query })
  expect(await liveLines(api)).toBe(before + 1)
})

test('a visit that another process has closed gets a new line, once its process notices', async () => {
  const { api, user } = await withVehicle()
  const other = await testApi({}, { name: api.name, clock: { now: api.clock.now } })
  const query = { minSpeed: 1 }
  await user.call(current.list, { query })
  const before = await liveLines(api)
  // Its polls could not be written for so long.
  await api.db.execute(sql`update access_visit set seen_at = seen_at - interval '2 minutes'`)
  await closeVisits(other)
  expect(await api.db.query(sql`select from access_visit`)).toEqual([])
  await user.call(current.list, { query })
  await closeVisits(api)
  for (const _ of [1, 2]) await user.call(current.list, { query })
  expect(await liveLines(api)).toBe(before + 1)
  expect(await api.db.query(sql`select from access_visit`)).toHaveLength(1)
})

test('a visit is divided where the purpose or the role of its session changes', async () => {
  const { api, user } = await withVehicle()
  const second = await testApi({}, { name: api.name, clock: api.clock })
  const there = second.client(user.token)
  await expect.poll(async () => (await there.call(current.list, { query: {} })).status).toBe(200)
  const query = { minSpeed: 1 }
  const poll = async (client: Client = user) => {
    for (const _ of [1, 2]) expect((await client.call(current.list, { query })).status).toBe(200)
    return (await trailOf(api)).flatMap(({ criteria, purpose }) => (criteria.minSpeed === 1 ? [purpose] : []))
  }
  const give = (reference: string) => user.call(setPurpose, { body: { purpose: 'proceedings', reference } })
  expect([await poll(), await poll(there)]).toEqual([[null], [null]])
  await give('RSOW 1/2026')
  const given = [null, 'proceedings']
  expect(await poll()).toEqual(given)
  await closeVisits(second)
  expect([await poll(there), await poll()]).toEqual([given, given])
  await user.call(removePurpose)
  const removed = [...given, null]
  expect(await poll()).toEqual(removed)
  // It ends while the list is open; its visit began after the minute of the last one.
  await give('RSOW 2/2026')
  api.clock.now = new Date('2026-10-20T08:14:00Z')
  await user.call(ping)
  api.clock.now = new Date('2026-10-20T08:28:00Z')
  await user.call(ping)
  api.clock.now = new Date('2026-10-20T08:29:30Z')
  expect(await poll()).toEqual([...removed, 'proceedings'])
  api.clock.now = new Date('2026-10-20T08:30:00Z')
  const ended = [...removed, 'proceedings', null]
  expect(await poll()).toEqual(ended)
  // The same rights by another role.
  const [role] = await api.db.query<{ id: number }>(sql`
    insert into role (name, permissions) values ('Nowa', ${user.permissions}) returning id`)
  await setRole(api.db, user.userId, role?.id as number)
  api.app.api.sessions.clearCache()
  expect(await poll()).toEqual([...ended, null])
  expect(await api.db.query(sql`select from access_trail where role_name = 'Nowa'`)).toHaveLength(1)
})

test('a visit with a purpose goes on in another process while one has not polled it', async () => {
  const { api, user } = await withVehicle()
  const second = await testApi({}, { name: api.name, clock: api.clock })
  const there = second.client(user.token)
  await user.call(setPurpose, { body: { purpose: 'proceedings', reference: 'RSOW 1/2026' } })
  const poll = (client: Client) => client.call(current.list, { query: { minSpeed: 1 } })
  await expect.poll(async () => (await poll(there)).status).toBe(200)
  await poll(user)
  const before = await liveLines(api)
  for (const _ of [1, 2, 3]) {
    api.clock.now = new Date(api.clock.now.getTime() + 40_000)
    await poll(there)
    await closeVisits(second)
  }
  await poll(user)
  expect(await liveLines(api)).toBe(before)
})

test('a purpose that was given to another process divides a visit at its end, without losing a plate', async () => {
  const { api, user } = await withVehicle()
  const second = await testApi({}, { name: api.name, clock: api.clock })
  const there = second.client(user.token)
  await expect.poll(async () => (await there.call(current.list, { query: {} })).status).toBe(200)
  const poll = async (client: Client) => {
    expect((await client.call(archive.plates, { query: { beginning: 'WX1' } })).body.content).toHaveLength(1)
    return (await trailOf(api)).flatMap(({ call, purpose }) => (call === callOf(archive.plates) ? [purpose] : []))
  }
  expect(await poll(there)).toEqual([null])
  await user.call(setPurpose, { body: { purpose: 'proceedings', reference: 'RSOW 1/2026' } })
  await api.db.execute(sql`
    update access_purpose set until = ${new Date(api.clock.now.getTime() + 40_000)}::timestamptz`)
  const given = [null, 'proceedings']
  expect(await poll(user)).toEqual(given)
  await closeVisits(second)
  expect(await poll(there)).toEqual(given)
  api.clock.now = new Date(api.clock.now.getTime() + 45_000)
  const ended = [...given, null]
  expect([await poll(there), await poll(user)]).toEqual([ended, ended])
  for (const process of [second, api]) await closeVisits(process)
  const shown = await api.db.query(sql`
    select cardinality(v.shown) as plates from access_visit v join access_trail t on t.id = v.id
    where t.call = ${callOf(archive.plates)}`)
  expect(shown).toEqual([1, 1, 1].map((plates) => ({ plates })))
})

test('an open live list covers the images of vehicles that it shows, in any process', async () => {
  const { api, user, key } = await withVehicle()
  const [path] = (await user.call(archive.detail, key)).body.images?.map((image) => image.path) ?? []
  const second = await testApi({}, { name: api.name, clock: api.clock })
  await expect.poll(async () => (await second.client(user.token).call(current.list, { query: {} })).status).toBe(200)
  /** Lines that the image leaves in one of both processes, for somebody with a live list of these filters. */
  const linesOf = async (filters: object, process = api) => {
    const other = await api.as('ArchiveMeasurements', 'CurrentMeasurements')
    await other.call(current.list, { query: filters })
    const before = (await trailOf(api)).length
    const headers = { authorization: `Bearer ${other.token}` }
    const url = `${API_BASE}${path}/full`
    expect((await inject(process.app.api.http, { method: 'GET', url, headers })).statusCode).toBe(200)
    return (await trailOf(api)).slice(before).map(({ kind }) => kind)
  }
  for (const process of [api, second]) {
    expect(await linesOf({}, process)).toEqual([])
    expect(await linesOf({ minSpeed: 1, plateLpr: 'WX 12345' }, process)).toEqual([])
    expect(await linesOf({ minSpeed: 200 }, process)).toEqual(['image'])
    expect(await linesOf({ plateLpr: 'GD 1' }, process)).toEqual(['image'])
  }
  // It has left the live list, and its address was kept.
  api.clock.now = new Date('2026-10-20T12:00:00Z')
  for (const process of [api, second]) expect(await linesOf({}, process)).toEqual(['image'])
})

test('a process reads live lists of other processes once for all images of a session', async () => {
  const { api, user } = await withVehicle()
  const station = await api.station()
  const cars = [2, 3, 4].map((sequence) => car(sequence))
  await send(station, cars)
  for (const one of cars) await sendImage(station, one, 'front', await jpeg(one.sequence))
  const second = await testApi({}, api)
  const pathsOf = async (process: TestApi, token: string | undefined) => {
    const { body } = await process.client(token).call(current.list, { query: { withImages: true } })
    return body.content.flatMap(({ images = [] }) => images.map(({ path }) => path))
  }
  // The images are live there, for another session, and this one is known.
  const watcher = await api.as('CurrentMeasurements')
  await eventually(async () => expect(await pathsOf(second, watcher.token)).toHaveLength(4))
  expect((await second.client(user.token).call(ping)).status).toBe(204)
  const paths = await eventually(async () => {
    const found = await pathsOf(api, user.token)
    expect(found).toHaveLength(4)
    return found
  })
  const view = async (path?: string) => {
    const headers = { authorization: `Bearer ${user.token}` }
    const url = `${API_BASE}${path}/thumbnail`
    expect((await inject(second.app.api.http, { method: 'GET', url, headers })).statusCode).toBe(200)
  }
  const spies = (['query', 'prepared', 'arrays', 'execute', 'transaction', 'reserve'] as const).map((name) =>
    vi.spyOn(second.db, name),
  )
  const calls = () => spies.flatMap(({ mock }) => mock.calls as unknown[][])
  const readsOfLists = () =>
    calls().filter(([statement]) => /filters from access_visit/.test(JSON.stringify(statement)))
  const lines = (await trailOf(api)).length
  await Promise.all(paths.map(view))
  expect(readsOfLists()).toHaveLength(1)
  // Again if work in the background has sent a statement meanwhile.
  await eventually(async () => {
    const before = calls().length
    for (const path of paths) await view(path)
    expect(calls().length).toBe(before)
  })
  expect(readsOfLists()).toHaveLength(1)
  expect(await trailOf(api)).toHaveLength(lines)
})

test('a file with more than 100 plates needs a recent verification of who opens it', async () => {
  const api = await testApi()
  const station = await api.station()
  const cars = (count: number, from = 1) =>
    Array.from({ length: count }, (_, at) =>
      car(from + at, { plateLpr: `WX ${from + at}`, createdAt: '2026-10-20T07:00:00.000Z' }),
    )
  await send(station, cars(100))
  const user = await api.as('ArchiveMeasurements', 'WantedList')
  const anonymised = await api.as('ArchiveMeasurements', 'Anonymization')
  api.clock.now = new Date(api.clock.now.getTime() + 11 * 60_000)
  const outcome = async (client: Client, file: { link: string }) => {
    const { status, errors } = await fetchReport(client, file)
    return status === 200 ? [200] : [status, ...errors.map(({ code }) => code)]
  }
  const archived = async (client: Client, reportType: 'csv' | 'xlsx') =>
    outcome(client, (await client.call(archive.report, { query: { ...RANGE, reportType } })).body)
  expect(await archived(user, 'csv')).toEqual([200])
  await send(station, cars(1, 101))
  const lines = (await trailOf(api)).length
  const asked = [403, 'step-up-required']
  expect([await archived(user, 'csv'), await archived(user, 'xlsx')]).toEqual([asked, asked])
  expect(await trailOf(api)).toHaveLength(lines)
  // Masked plates are none.
  expect(await archived(anonymised, 'csv')).toEqual([200])

  // Without a factor of one's own: the password, once for all files.
  await api.db.execute(sql`
    insert into wanted_plate (created_at, user_id, type_of_list, plate, misread, description)
    select now(), ${user.userId}, 0, 'WX' || n, 'WX' || n, 'Opis' from generate_series(1, 101) n`)
  const wanted = async () =>
    outcome(user, (await user.call(exportPlates, { query: { typesOfLists: [0] } as never })).body)
  expect(await wanted()).toEqual(asked)
  expect((await user.call(stepUp, { body: { password: PASSWORD } })).status).toBe(204)
  expect([await wanted(), await archived(user, 'csv')]).toEqual([[200], [200]])
})

test('where purposes are required, nothing is searched by plate before one is given', async () => {
  const { api, user } = await withVehicle({ purposes: 'required' })
  const searches = [
    [archive.search, { query: { ...RANGE, plateLpr: 'WX 12345' } }],
    [archive.search, { query: { ...RANGE, plates: 'WX12345' } }],
    [archive.plates, { query: { beginning: 'wx' } }],
    [archive.report, { query: { ...RANGE, plateLpr: 'WX 12345', reportType: 'csv' } }],
    [archive.report, { query: { id: vehicleId(7, 1), locationId: 7, reportType: 'zip' } }],
    [current.report, { params: { id: vehicleId(7, 1) }, query: { reportType: 'zip' } }],
    [current.list, { query: { plateLpr: 'WX 12345' } }],
    [current.check, { query: { plateLpr: 'WX 12345' } }],
    [current.counters, { query: { plateLpr: 'WX 12345' } }],
    [listOffenders, { query: {} }],
  ] as const
  const statuses = async (client: Client) => {
    const answers: number[] = []
    for (const [endpoint, options] of searches)
      answers.push((await client.call(endpoint as Endpoint, options as never)).status)
    return answers
  }
  const lines = (await trailOf(api)).length
  expect(await statuses(user)).toEqual(searches.map(() => 422))
  expect(await trailOf(api)).toHaveLength(lines)
  for (const free of [
    [archive.search, { query: RANGE }],
    [current.list, { query: {} }],
    [current.report, { params: { id: vehicleId(7, 1) }, query: { reportType: 'pdf' } }],
  ] as const)
    expect((await user.call(free[0] as Endpoint, free[1] as never)).status).toBe(200)

  const set = async (body: object) => {
    const { status, errors } = await user.call(setPurpose, { body: body as never })
    return status === 200 ? 200 : errors.map(({ code }) => code)[0]
  }
  for (const purpose of ['proceedings', 'authority-request', 'person-request'])
    expect(await set({ purpose, reference: ' ' })).toBe('reference-missing')
  expect(await set({ purpose: 'other', note: 'too short' })).toBe('purpose-note-missing')
  expect(await set({ purpose: 'curiosity' })).toBe('unknown-option')
  expect((await user.call(readPurpose)).body).toEqual({ required: true, current: null })
  expect(await set({ purpose: 'proceedings', reference: 'RSOW 118/2026' })).toBe(200)
  expect((await user.call(readPurpose)).body.current).toEqual({
    purpose: 'proceedings',
    reference: 'RSOW 118/2026',
    note: null,
    until: '2026-10-20T08:30:00.000Z',
  })
  expect(await statuses(user)).toEqual(searches.map(() => 200))
  const [line] = (await trailOf(api)).slice(-1)
  expect(line).toMatchObject({ kind: 'live', purpose: 'proceedings', reference: 'RSOW 118/2026' })
  // It is of this session, and ends.
  const other = await api.as('ArchiveMeasurements')
  expect((await other.call(archive.plates, { query: { beginning: 'wx' } })).status).toBe(422)
  for (const time of ['08:14', '08:29']) {
    api.clock.now = new Date(`2026-10-20T${time}:00Z`)
    expect((await user.call(archive.plates, { query: { beginning: 'wx' } })).status).toBe(200)
  }
  api.clock.now = new Date('2026-10-20T08:30:00Z')
  expect((await user.call(archive.plates, { query: { beginning: 'wx' } })).status).toBe(422)
  await set({ purpose: 'wanted-vehicle' })
  await user.call(removePurpose)
  expect((await user.call(archive.plates, { query: { beginning: 'wx' } })).status).toBe(422)
  // Anonymised users are refused as before.
  const anonymised = await api.as('ArchiveMeasurements', 'Anonymization')
  expect((await anonymised.call(archive.plates, { query: { beginning: 'wx' } })).status).toBe(403)
})

test('a file needs the purpose again when it is opened, also of plates in the audit log and of lines', async () => {
  const { api } = await withVehicle({ purposes: 'required' })
  const user = await api.as('ArchiveMeasurements', 'WantedList', 'PlateAccess', 'UserManagement')
  const key = { id: vehicleId(7, 1), locationId: 7, createdAt: '2026-10-20T07:59:50.000Z' }
  const subject = await api.as('WantedList')
  await api.db.execute(sql`
    insert into audit (at, user_id, action, subject, after)
    select ${api.clock.now}::timestamptz - interval '1 hour', ${subject.userId}, 'wanted-plate-added', 'WX' || n,
           jsonb_build_object('plateLpr', 'WX' || n)
    from generate_series(1, 101) n`)
  await api.db.execute(sql`
    insert into access_trail (at, user_name, session, call, kind, criteria, results, plates)
    select ${api.clock.now}::timestamptz - interval '1 hour', 'jan', '\\x01', 'GET /arch-vehicles', 1, '{}', 1, 1
    from generate_series(1, 101)`)
  const orders = {
    list: () => user.call(archive.report, { query: { ...RANGE, plateLpr: 'WX 12345', reportType: 'csv' } }),
    package: () => user.call(archive.report, { query: { ...key, reportType: 'zip' } }),
    trail: () => user.call(trailReport, { query: { ...ALL_DAY, reportType: 'csv' } }),
    log: () => user.call(userLog, { params: { id: subject.userId } }),
  }
  const give = () => user.call(setPurpose, { body: { purpose: 'roadside-check' } })
  const missing = [422, 'purpose-missing']
  for (const [name, order] of Object.entries(orders)) {
    await give()
    const { body } = await order()
    await user.call(removePurpose)
    const open = async () => {
      const { status, errors } = await fetchReport(user, body)
      return status === 200 ? [200] : [status, errors[0]?.code]
    }
    expect(await open(), name).toEqual(missing)
    await give()
    expect(await open(), name).toEqual([200])
    await user.call(removePurpose)
    // Its plates are counted when it is opened.
    if (name === 'log') continue
    const { status, errors } = await order()
    expect([status, errors[0]?.code], name).toEqual(missing)
  }
  const { status, errors } = await user.call(plates, { query: { search: 'WX1', orderBy: 'createdAt' } as never })
  expect([status, errors[0]?.code]).toEqual(missing)
  expect((await user.call(plates, { query: { orderBy: 'createdAt' } as never })).status).toBe(200)
  expect((await trailOf(api)).flatMap(({ kind, purpose }) => (kind === 'file' ? [purpose] : []))).toEqual(
    Object.keys(orders).map(() => 'roadside-check'),
  )
})

const ALL_DAY = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }

test('PlateAccess finds and exports who saw or asked for a plate, and leaves lines itself', async () => {
  const { api, user, key } = await withVehicle({ shiftStarts: ['06:00'] })
  const reader = await api.as('PlateAccess', 'ArchiveMeasurements')
  await user.call(setPurpose, { body: { purpose: 'proceedings', reference: 'RSOW 118/2026' } })
  await user.call(archive.search, { query: { ...RANGE, plateLpr: 'WX*' } })
  await user.call(archive.detail, key)
  await user.call(archive.search, { query: { ...RANGE, plateLpr: 'wx 12-345', minSpeed: 200 } })
  await user.call(archive.search, { query: { ...RANGE, plateLpr: 'KR 9' } })

  const searchFor = async (plateLpr: string, by = reader) => (await by.call(searchTrail, { body: { plateLpr } })).body
  const { searchId, expiresAt } = await searchFor('WX12345')
  expect(expiresAt).toBe('2026-10-20T20:00:00.000Z')
  expect(Buffer.from(searchId, 'base64url')).toHaveLength(16)
  const query = { ...ALL_DAY, search: searchId }
  const { content, totalCount } = (await reader.call(trail, { query })).body
  expect(totalCount).toBe(3)
  expect(content.map(({ kind, plates, results, shown }) => [kind, plates, results, shown])).toEqual([
    ['list', ['wx 12-345'], 0, 0],
    ['detail', [], 1, 1],
    ['list', ['WX*'], 1, 1],
  ])
  expect(content[1]).toMatchObject({
    user: { id: user.userId, name: user.username },
    role: user.username,
    ip: '127.0.0.1',
    call: 'GET /arch-vehicles/:id',
    purpose: 'proceedings',
    reference: 'RSOW 118/2026',
    vehicle: { id: vehicleId(7, 1), createdAt: '2026-10-20T07:59:50.000Z' },
    isListed: true,
    visit: null,
  })
  // Its reader is in it, with what was asked.
  const own = (await reader.call(trail, { query: { ...ALL_DAY, userId: reader.userId } })).body.content
  expect(own.map(({ kind, plates, results }) => [kind, plates, results])).toEqual([['trail', ['WX12345'], 3]])
  for (const [filter, count] of [
    [{ purpose: 'proceedings' }, 4],
    [{ purpose: 'calibration' }, 0],
    [{ kinds: 'detail,live' }, 2],
    [{ userId: user.userId }, 5],
    [{ systemId: 1 }, 0],
    [{ dateTimeEnd: '2026-10-20T08:00:00Z' }, 0],
    [{ search: (await searchFor('GD 1')).searchId }, 0],
  ] as const)
    expect((await reader.call(trail, { query: { ...ALL_DAY, ...filter } })).body.totalCount, String(filter)).toBe(count)

  const { body } = await reader.call(trailSummary, { query: ALL_DAY })
  expect(body.purposes).toContainEqual({ purpose: 'proceedings', lines: 4 })
  expect(body.manyPlates).toEqual([])

  // Without those who read the trail of this plate.
  const ofUser = { ...query, userId: user.userId }
  const reportOf = async (reportType: 'csv' | 'xlsx' | 'jsonl') =>
    (await fetchReport(reader, (await reader.call(trailReport, { query: { ...ofUser, reportType } })).body)).bytes
  const lines = (await reportOf('jsonl')).toString().trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(content.toReversed())
  const [heads, ...rows] = parseCsv(await reportOf('csv'))
  expect(rows).toHaveLength(3)
  expect(rows[0]?.[heads?.indexOf('Cel') ?? -1]).toBe('postępowanie')
  const [sheet] = await readSheets(await reportOf('xlsx'))
  expect(JSON.stringify(sheet)).toContain('RSOW 118/2026')

  // Pages of a long list are whole and distinct.
  await api.db.execute(sql`
    insert into access_trail (at, user_id, user_name, session, call, kind, criteria, results, plates)
    select ${new Date('2026-10-20T03:00:00Z')}::timestamptz + n * interval '1 ms', 99, 'long', '\\x00', 'GET /arch-vehicles', 1, '{}', 0, 0
    from generate_series(1, 10000) n`)
  const long = async (page: number) =>
    (await reader.call(trail, { query: { ...ALL_DAY, userId: 99, page, limit: 25 } })).body
  const [first, middle, last, after] = [await long(1), await long(200), await long(400), await long(401)]
  expect([first, middle, last].map(({ totalCount, content }) => [totalCount, content.length])).toEqual(
    [1, 2, 3].map(() => [10_000, 25]),
  )
  expect([first.content[0]?.at, last.content[24]?.at]).toEqual(['2026-10-20T03:00:10.000Z', '2026-10-20T03:00:00.001Z'])
  expect(middle.content[0]?.at).toBe('2026-10-20T03:00:05.025Z')
  expect(after.content).toEqual([])

  // A search is its user's, opens here only, and ends.
  expect((await reader.call(archive.openSearch, { params: { id: searchId } })).status).toBe(404)
  const other = await api.as('PlateAccess')
  expect((await other.call(trail, { query })).errors).toMatchObject([{ code: 'search-not-found' }])
  expect((await reader.call(trail, { query: { ...ALL_DAY, search: 'x' } })).status).toBe(404)
  expect((await (await api.as('UsersAdmin')).call(trail, { query: ALL_DAY })).status).toBe(403)
  const anonymised = await api.as('PlateAccess', 'Anonymization')
  for (const endpoint of [trail, trailSummary, trailReport] as const)
    expect((await anonymised.call(endpoint, { query: ALL_DAY })).status).toBe(403)
  expect((await anonymised.call(searchTrail, { body: { plateLpr: 'WX12345' } })).status).toBe(403)
})

test('lines are never changed or deleted, until their month is older than 1,095 days by both clocks', async () => {
  const { api, user, key } = await withVehicle()
  await user.call(archive.detail, key)
  const lines = await trailOf(api)
  expect(await api.db.execute(sql`update access_trail set user_id = 0`)).toBe(0)
  expect(await api.db.execute(sql`delete from access_trail`)).toBe(0)
  expect(await trailOf(api)).toEqual(lines)
  const drop = () => api.app.jobs.recurring.find(({ name }) => name === 'drop-expired-access-trail')?.work()
  // The last line of October 2020 may be of its last moment.
  await api.db.query(sql`select create_trail_partition('access_trail', '2020-10-31')`)
  await api.db.execute(sql`
    insert into access_trail (at, user_name, session, call, kind, criteria, results, plates)
    values ('2020-10-31T23:59:59.999Z', 'jan', '\\x01', 'GET /arch-vehicles', 1, '{}', 1, 1)`)
  const all = await trailOf(api)
  expect(all).toHaveLength(lines.length + 1)
  api.clock.now = new Date(Date.UTC(2020, 10, 1) + 1_095 * 24 * 3_600_000 - 1)
  await drop()
  expect(await trailOf(api)).toEqual(all)
  api.clock.now = new Date(api.clock.now.getTime() + 1)
  await drop()
  expect(await trailOf(api)).toEqual(lines)
  // A clock of the portal that is years ahead drops nothing.
  api.clock.now = new Date('2040-01-01T00:00:00Z')
  await expect(drop()).rejects.toThrow('the access trail of 2026-')
  expect(await trailOf(api)).toEqual(lines)
})

test('a month that a dump reads is dropped by a later run, and delays no other table', async () => {
  const { api } = await withVehicle()
  for (const table of ['access_trail', 'access_visit_end'])
    await api.db.query(sql`select create_trail_partition(${table}::text, '2020-10-31')`)
  const months = async () => {
    const rows = await api.db.query<{ name: string }>(sql`
      select relname as name from pg_class where relkind = 'r' and relname ~ '^access_.*_2020_10$' order by 1`)
    return rows.map(({ name }) => name)
  }
  const drop = () =>
    dropExpiredTrail(api.db, new Date('2026-10-20'), { detachMs: 100, lockMs: 100, attempts: 2, delayMs: 50 })
  await api.db.transaction(async (dump) => {
    await dump.query(sql`lock table access_visit_end in access share mode`)
    expect(await drop()).toEqual(['access_visit_end_2020_10'])
    expect(await months()).toEqual(['access_visit_end_2020_10'])
  })
  expect(await drop()).toEqual([])
  expect(await months()).toEqual([])
})

/** The looks of a user that the summary points out as outside the usual shift, in Polish time of 20 October. */
const outsideOf = async (reader: Client, { username }: { username: string }) =>
  (await reader.call(trailSummary, { query: ALL_DAY })).body.outsideShift.flatMap(({ user, from, to, lines }) =>
    user.name === username ? [`${from.slice(11, 16)}-${to.slice(11, 16)} ${lines}`] : [],
  )

test('marks looks outside the usual sign-in shifts of a user, once these are known', async () => {
  // Midnight to midnight in Poland is 22:00 to 22:00 in UTC: the shifts begin at 4:00, 12:00 and 20:00 UTC.
  const { api, user, key } = await withVehicle({ shiftStarts: ['06:00', '14:00', '22:00'] })
  const novice = await api.as('ArchiveMeasurements')
  const signIn = async (at: string, { userId }: { userId: number } = user) => {
    const token = newToken()
    const opened = { tokenHash: hashToken(token), userId, ip: '127.0.0.1', userAgent: null }
    await insertSession(api.db, opened, new Date(at))
    return api.client(token)
  }
  const lookAt = async (who: { userId: number }, time: string) => {
    api.clock.now = new Date(`2026-10-20T${time}:00Z`)
    const client = await signIn(api.clock.now.toISOString(), who)
    expect((await client.call(archive.detail, key)).status).toBe(200)
  }
  // Too long ago, and tonight.
  await signIn('2026-09-20T01:00:00Z')
  await signIn('2026-10-19T23:00:00Z')
  for (const day of [12, 13]) await signIn(`2026-10-${day}T04:10:00Z`)
  // A quarter of an hour before the shift, and again in it.
  await signIn('2026-10-14T03:45:00Z')
  await signIn('2026-10-14T05:00:00Z')
  for (const time of ['01:12', '01:13', '03:59', '04:00', '11:59', '12:59', '13:00', '19:59']) {
    await lookAt(user, time)
    await lookAt(novice, time)
  }
  api.clock.now = new Date('2026-10-20T20:00:00Z')
  const reader = await api.as('PlateAccess')
  expect(await outsideOf(reader, user)).toEqual(['13:00-19:59 2', '01:12-03:59 3'])
  expect(await outsideOf(reader, novice)).toEqual([])
  // Where sign-ins are deleted early, nothing is known of their shifts.
  const early = await testApi({ activityRetentionDays: 27 }, api)
  expect(await outsideOf(early.client(reader.token), user)).toEqual([])
  // One shift of the whole day is everybody's.
  const other = await testApi({ shiftStarts: ['06:00'] }, api)
  expect(await outsideOf(other.client(reader.token), user)).toEqual([])
})

test('names users who were refused without a purpose and then gave none, once a minute', async () => {
  const { api, user } = await withVehicle({ purposes: 'required' })
  let reader = await api.as('PlateAccess')
  const other = await api.as('ArchiveMeasurements', 'CurrentMeasurements')
  const search = async (who: Client, time: string) => {
    api.clock.now = new Date(`2026-10-20T${time}Z`)
    const query = { ...RANGE, plateLpr: 'WX 12345' }
    expect((await who.call(archive.search, { query })).errors[0]?.code).toBe('purpose-missing')
    expect((await who.call(current.list, { query: { plateLpr: 'WX 12345' } })).status).toBe(422)
  }
  const named = async () =>
    (await reader.call(trailSummary, { query: ALL_DAY })).body.withoutPurpose.map(({ user, at }) => [user.name, at])
  for (const time of ['08:00:10', '08:00:50', '08:01:00']) await search(other, time)
  await search(user, '08:01:30')
  // Those of one minute in the order of the accounts.
  const lastMinute = [user, other].toSorted((a, b) => a.userId - b.userId)
  expect(await named()).toEqual([
    ...lastMinute.map(({ username }) => [username, '2026-10-20T08:01:00.000Z']),
    [other.username, '2026-10-20T08:00:00.000Z'],
  ])
  await user.call(setPurpose, { body: { purpose: 'roadside-check' } })
  expect((await named()).map(([name]) => name)).toEqual([other.username, other.username])
  // Refused again in the minute of an answered refusal.
  await user.call(removePurpose)
  await search(user, '08:01:50')
  expect((await named()).map(([name]) => name).sort()).toEqual([user, other, other].map((one) => one.username).sort())
  // The purpose answers what was refused in the minute 30 minutes before; polls that go on after its end are nobody's.
  const passUntil = async (time: string) => {
    const end = Date.parse(`2026-10-20T${time}Z`)
    while (api.clock.now.getTime() < end) {
      api.clock.now = new Date(Math.min(end, api.clock.now.getTime() + 4 * 60_000))
      // The session stays open.
      expect((await user.call(ping)).status).toBe(204)
    }
  }
  await passUntil('08:31:30')
  await user.call(setPurpose, { body: { purpose: 'roadside-check' } })
  await passUntil('09:05:00')
  const query = { plateLpr: 'WX 12345' }
  for (const endpoint of [current.check, current.counters, current.list])
    expect((await user.call(endpoint, { query })).errors[0]?.code).toBe('purpose-missing')
  reader = await api.as('PlateAccess')
  expect((await named()).map(([name]) => name)).toEqual([other.username, other.username])
  // Anonymised users are refused for another reason.
  const anonymised = await api.as('ArchiveMeasurements', 'Anonymization')
  expect((await anonymised.call(archive.plates, { query: { beginning: 'wx' } })).status).toBe(403)
  expect(await named()).toHaveLength(2)
  api.clock.now = new Date(Date.UTC(2026, 9, 20) + 1_200 * 86_400_000)
  await api.app.jobs.recurring
    .find(({ name }) => name === 'drop-expired-access-trail')
    ?.work()
    .catch(() => {})
  expect(await api.db.query(sql`select from purpose_refusal`)).toEqual([])
})

test('PlateAccess sees whether the chains of hashes hold, and has them checked', async () => {
  const { api, user, key } = await withVehicle({ evidenceCopy: { url: 'http://127.0.0.1:9/copies' } })
  let reader = await api.as('PlateAccess')
  const state = async () => (await reader.call(integrity)).body
  expect(await state()).toMatchObject({
    check: null,
    isChecking: false,
    links: 0,
    since: null,
    head: null,
    anchor: null,
  })
  expect((await state()).days.at(0)).toEqual({ day: '2026-09-21', state: 'unchecked' })
  await user.call(archive.detail, key)
  await sealLogs(api.db)
  const checked = async () => {
    await reader.call(checkIntegrity)
    // A second request changes nothing.
    await reader.call(checkIntegrity)
    expect((await state()).isChecking).toBe(true)
    await api.runJobs()
    return state()
  }
  const intact = await checked()
  const seals = await api.db.query<{ chain: string; seq: number; hash: string }>(sql`
    select chain, seq, encode(hash, 'hex') as hash from log_seal order by chain, seq`)
  const { seq, hash } = seals.findLast(({ chain }) => chain === 'access') as { seq: number; hash: string }
  expect(intact).toMatchObject({
    check: { endedAt: api.clock.now.toISOString(), fault: null },
    isChecking: false,
    links: seals.length,
    since: '2026-10-20T08:00:00.000Z',
    head: { seq, hash },
    isCopied: true,
  })
  expect(intact.days).toHaveLength(30)
  // Not again at once, as it reads all logs; nor while the one of the night runs.
  await reader.call(checkIntegrity)
  expect((await state()).isChecking).toBe(false)
  api.clock.now = new Date(api.clock.now.getTime() + 11 * 60_000)
  const night = sql`
    with job as (select graphile_worker.add_job('check-evidence', job_key := 'night') as job)
    update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker' where id = (select (job).id from job)`
  await api.db.execute(night)
  await reader.call(checkIntegrity)
  expect((await state()).isChecking).toBe(true)
  // Its process has ended.
  await api.db.execute(sql`update graphile_worker._private_jobs set locked_at = now() - interval '61 minutes'`)
  expect((await state()).isChecking).toBe(false)
  await api.db.execute(sql`delete from graphile_worker._private_jobs`)
  expect(intact.days.at(-1)).toEqual({ day: '2026-10-20', state: 'intact' })
  expect((await api.db.query(sql`select from evidence_check`)).length).toBe(1)

  await api.db.execute(sql`update log_seal set hash = '\\x00' where chain = 'access' and seq = ${seq}`)
  // The next day in Poland.
  api.clock.now = new Date('2026-10-20T22:30:00Z')
  reader = await api.as('PlateAccess')
  const broken = await checked()
  expect(broken.check?.fault).toMatch(`access: link ${seq}, line `)
  expect(broken.days.slice(-2)).toEqual([
    { day: '2026-10-20', state: 'intact' },
    { day: '2026-10-21', state: 'broken' },
  ])
  await anchorChains(api.db, api.clock.now, true)
  expect((await state()).anchor).toEqual({
    number: 1,
    at: api.clock.now.toISOString(),
    isStampRequested: true,
    stampedAt: null,
    copiedAt: null,
  })
  const anonymised = await api.as('PlateAccess', 'Anonymization')
  expect((await anonymised.call(integrity)).status).toBe(403)
  expect((await anonymised.call(checkIntegrity)).status).toBe(403)
})
