import { audit } from '@rogatka/contract/activity.ts'
import { list } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import {
  addContact,
  addPlate,
  changePlate,
  closeHit,
  hit,
  hits,
  latestHits,
  misreads,
  openHitSheet,
  plates,
  removePlate,
  reopenHit,
  takeHit,
} from '@rogatka/contract/wanted.ts'
import { hitStream, openHits, type WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { raw, sql } from '../../core/statement.ts'
import { car, send } from '../../ingest/testing.ts'
import { addressOf, readEventStream } from '../../testing/event-stream.ts'
import { type Client, eventually, type TestApi, testApi } from '../../testing/test-api.ts'

const TODAY = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }

const add = async (user: Client, plateLpr: string, more: Record<string, unknown> = {}) =>
  (await user.call(addPlate, { body: { plateLpr, typeOfList: 0, description: `Kradzież ${plateLpr}`, ...more } })).body
    .id

const passes = async (station: Client, sequence: number, plateLpr: string, more: Partial<WireMeasurement> = {}) => {
  expect((await send(station, [car(sequence, { plateLpr, ...more })])).body.accepted).toBe(1)
  return { params: { id: vehicleId(7, sequence) }, query: { createdAt: car(sequence, more).createdAt } }
}

/** The open hits of a user, once their plates are these. */
const openOf = (user: Client, plates: string[]) =>
  eventually(async () => {
    const { content } = (await user.call(openHits)).body
    expect(content.map(({ plateLpr }) => plateLpr)).toEqual(plates)
    return content
  })

const streamOf = async (api: TestApi, user: Client) => {
  // Refused until the process has loaded the hits.
  await eventually(async () => expect((await user.call(openHits)).status).toBe(200))
  return readEventStream(await addressOf(api), user.token, API_BASE + hitStream.path)
}

const later = (api: Pick<TestApi, 'clock'>, seconds: number) => {
  api.clock.now = new Date(api.clock.now.getTime() + seconds * 1_000)
}

test('shows a hit to all who may see the entry, in every process, with its vehicle', async () => {
  const api = await testApi()
  const second = await testApi({}, api)
  const owner = await api.as('BlackList')
  const manager = await second.as('WantedList', 'UserManagement')
  const stranger = await api.as('WantedList')
  const white = await api.as('WhiteList', 'UserManagement')
  const anonymous = await api.as('BlackList', 'UserManagement', 'Anonymization')
  const station = await api.station()
  await add(owner, 'WX 0815', { description: 'Kradzież, WX 0815' })
  await add(stranger, 'WX 0816', { typeOfList: 1 })
  await passes(station, 2, 'WX0816')
  await passes(station, 1, 'WX 0815', { speed: 118 })
  const [shown] = await openOf(owner, ['WX0815'])
  expect(shown).toMatchObject({
    id: vehicleId(7, 1),
    createdAt: '2026-10-20T07:59:58.000Z',
    location: { id: 7, shortName: 'S8 Test', direction: 'Warszawa' },
    laneNumber: 1,
    nationality: 'PL',
    speed: 118,
    ctg8p1: 7,
    numberOfAxles: 2,
    // 5 km at 118 km/h: 152.5 s.
    checkpointTime: expect.stringMatching(/^2026-10-20T08:02:3/),
    entries: [{ plateLpr: 'WX0815', description: 'Kradzież, WX 0815', user: { username: owner.username } }],
    taken: null,
  })
  await openOf(manager, ['WX0815'])
  await openOf(stranger, [])
  expect((await white.call(openHits)).status).toBe(403)
  const [masked] = await openOf(anonymous, ['WX****'])
  expect(masked?.entries[0]).toMatchObject({ plateLpr: 'WX****', description: 'Kradzież, WX****' })
  const { params, query } = { params: { id: vehicleId(7, 1) }, query: { createdAt: '2026-10-20T07:59:58Z' } }
  expect((await stranger.call(hit, { params, query })).status).toBe(404)
  expect((await stranger.call(takeHit, { params, query, body: {} })).status).toBe(404)
  expect(JSON.stringify((await anonymous.call(hit, { params, query })).body)).not.toContain('0815')

  // A process that starts later knows it, too.
  const third = await testApi({}, api)
  await openOf(third.client(owner.token), ['WX0815'])
})

test('gives a hit to one of two users who take it concurrently, and names that user to the other', async () => {
  const api = await testApi()
  const second = await testApi({}, api)
  const users = [
    await api.as('WantedList', 'UserManagement'),
    await second.as('WantedList', 'UserManagement'),
    await api.as('WantedList', 'UserManagement'),
  ] as const
  const station = await api.station()
  await add(users[0], 'WX1')
  const key = await passes(station, 1, 'WX1')
  later(api, 27)
  const results = await Promise.all(users.map((user) => user.call(takeHit, { ...key, body: {} })))
  const winner = results.findIndex(({ status }) => status === 200)
  const { username, userId } = users[winner as 0]
  expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  for (const { status, errors } of results)
    if (status === 409)
      expect(errors).toEqual([
        { path: null, code: 'hit-taken', userMessage: `${username} przyjął to trafienie 20.10.2026 10:00:27.` },
      ])
  for (const [at, user] of users.entries()) {
    const process = at === 1 ? second : api
    const [shown] = await eventually(async () => {
      const content = await openOf(process.client(user.token), ['WX1'])
      expect(content[0]?.taken).not.toBeNull()
      return content
    })
    expect(shown?.taken).toEqual({ by: { id: userId, username }, at: '2026-10-20T08:00:27.000Z' })
  }

  // A repeated request, whose answer was lost, changes nothing.
  later(api, 5)
  expect((await users[winner as 0].call(takeHit, { ...key, body: {} })).body.taken?.at).toBe('2026-10-20T08:00:27.000Z')
  // Taking over names from whom; who comes second with the same name fails.
  const [other, third] = users.filter((_, at) => at !== winner)
  const taken = (await (other as Client).call(takeHit, { ...key, body: { from: userId } })).body
  expect(taken.course.filter(({ step }) => step === 'taken').map(({ by }) => by?.username)).toEqual([
    username,
    taken.taken?.by.username,
  ])
  expect((await (third as Client).call(takeHit, { ...key, body: { from: userId } })).status).toBe(409)
  const log = await users[0].call(audit, {
    query: { ...TODAY, action: 'wanted-hit-taken' },
  })
  expect(log.body.content.map(({ after }) => after)).toMatchObject([{ takenFrom: username }, { takenFrom: null }])
})

test('a vehicle that is not the wanted one is closed for all with its mark, and this can be undone for a while', async () => {
  const api = await testApi()
  const [owner, manager] = [
    await api.as('WantedList', 'CurrentMeasurements'),
    await api.as('WantedList', 'UserManagement'),
  ]
  const station = await api.station()
  const entry = await add(owner, 'WX1')
  const key = await passes(station, 1, 'WX1')
  await openOf(manager, ['WX1'])
  const closed = (await owner.call(closeHit, { ...key, body: { reason: 'misread' } })).body
  expect(closed.closed).toMatchObject({
    by: { id: (owner as unknown as { userId: number }).userId },
    reason: 'misread',
  })
  await openOf(manager, [])
  await openOf(owner, [])
  expect((await owner.call(hits, { params: { id: entry } })).body.content[0]?.falseHit).toBe(true)
  await eventually(async () => expect((await owner.call(list)).body.content[0]?.wanted).toBeUndefined())
  expect((await owner.call(misreads, { query: TODAY })).body).toMatchObject([{ hits: 1, misreads: 1 }])
  // Nobody can take what is closed.
  const refused = await manager.call(takeHit, { ...key, body: {} })
  expect([refused.status, refused.errors[0]?.code]).toEqual([409, 'hit-closed'])
  // A second answer changes neither person nor reason.
  expect((await manager.call(closeHit, { ...key, body: { reason: 'other-country' } })).body.closed?.reason).toBe(
    'misread',
  )
  expect((await manager.call(reopenHit, key)).status).toBe(409)
  later(api, 10)
  const reopened = (await owner.call(reopenHit, key)).body
  expect(reopened.closed).toBeNull()
  // The open hit counts for the camera, but not as misread any more.
  expect((await owner.call(misreads, { query: TODAY })).body).toEqual([
    { location: { id: 7, shortName: 'S8 Test' }, laneNumber: 1, hits: 1, misreads: 0 },
  ])
  expect(reopened.course.map(({ step, reason }) => [step, reason])).toEqual([
    ['read', null],
    ['closed', 'misread'],
    ['reopened', null],
  ])
  await openOf(manager, ['WX1'])

  await manager.call(closeHit, { ...key, body: {} })
  await openOf(owner, [])
  expect((await owner.call(hit, key)).body.closed).toMatchObject({ reason: null })
  // Not false: the vehicle was the wanted one.
  expect((await owner.call(hits, { params: { id: entry } })).body.content[0]?.falseHit).toBe(false)
  later(api, 61)
  expect((await manager.call(reopenHit, key)).status).toBe(409)
})

test('a hit of one entry does not close that of another user', async () => {
  const api = await testApi()
  const [first, second] = [await api.as('WantedList'), await api.as('WantedList')]
  const station = await api.station()
  await add(first, 'WX1O', { allowMisread: true })
  await add(second, 'WX10')
  const key = await passes(station, 1, 'WX10')
  await openOf(first, ['WX10'])
  await openOf(second, ['WX10'])
  await first.call(closeHit, { ...key, body: { reason: 'other-vehicle' } })
  await openOf(first, [])
  await openOf(second, ['WX10'])
})

test('heartbeats of streams of open hits are spread over their interval', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const streams = await Promise.all(Array.from({ length: 6 }, () => streamOf(api, user)))
  // `eventually` would move the timers.
  const until = async (check: () => boolean) => {
    for (let tries = 0; tries < 200 && !check(); tries++) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await until(() => streams.every(({ events }) => events.length > 0))
  const counts = () => streams.map(({ heartbeats }) => heartbeats.length)
  vi.advanceTimersByTime(3_000)
  await until(() => counts().includes(1))
  expect(new Set(counts())).toEqual(new Set([0, 1]))
  vi.advanceTimersByTime(12_000)
  await until(() => !counts().includes(0))
  expect(counts()).toEqual(streams.map(() => 1))
})

test('a stream sends changes at once, and after a lost connection everything that happened meanwhile', async () => {
  const api = await testApi()
  const second = await testApi({}, api)
  const [owner, other] = [await api.as('WantedList'), await second.as('WantedList', 'UserManagement')]
  const station = await api.station()
  await add(owner, 'WX1')
  const stream = await streamOf(second, other)
  type List = { content: WireOpenHit[] }
  const hitsOn = ({ events }: typeof stream) => (events.at(-1)?.data as List | undefined)?.content
  expect((await stream.next<List>('hits')).content).toEqual([])
  const key = await passes(station, 1, 'WX1')
  expect((await stream.next<List>('hits')).content).toMatchObject([{ plateLpr: 'WX1', taken: null }])
  await owner.call(takeHit, { ...key, body: {} })
  expect((await stream.next<List>('hits')).content[0]?.taken?.by).toMatchObject({ username: owner.username })
  stream.close()
  await passes(station, 2, 'WX1')
  const resumed = await streamOf(second, other)
  await eventually(() => expect(hitsOn(resumed)).toHaveLength(2))

  // The processes lose the database: a hit stored meanwhile is there afterwards.
  const restore = await api.loseDatabase()
  await restore()
  await eventually(async () => expect((await passes(station, 3, 'WX1')).params.id).toBe(vehicleId(7, 3)))
  await eventually(() => expect(hitsOn(resumed)).toHaveLength(3))
})

test('a stream leaves out a list that is recorded more slowly than a later one', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  const station = await api.station()
  await add(user, 'WX1')
  await add(user, 'WX2')
  const stream = await streamOf(api, user)
  const shown = () =>
    stream.events.map(({ data }) => (data as { content: WireOpenHit[] }).content.map((it) => it.plateLpr))
  await eventually(() => expect(shown()).toEqual([[]]))
  await api.db.query(
    raw(`
    create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$;
    create trigger slow after insert on access_visit for each statement execute function slow()`),
  )
  const key = await passes(station, 1, 'WX1')
  await eventually(async () =>
    expect(
      await api.db.query(
        sql`select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
      ),
    ).not.toHaveLength(0),
  )
  await user.call(closeHit, { ...key, body: {} })
  await eventually(() => expect(shown()).toEqual([[], []]))
  await passes(station, 2, 'WX2')
  await eventually(() => expect(shown()).toEqual([[], [], ['WX2']]))
})

test('polls are answered from memory', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  const station = await api.station()
  await add(user, 'WX1')
  await passes(station, 1, 'WX1')
  await openOf(user, ['WX1'])
  const { query, prepared, execute } = api.app.api.db
  const count = { queries: 0 }
  const counting =
    <A extends unknown[], R>(run: (...args: A) => R) =>
    (...args: A) => {
      count.queries += 1
      return run(...args)
    }
  Object.assign(api.app.api.db, { query: counting(query), prepared: counting(prepared), execute: counting(execute) })
  for (let poll = 0; poll < 50; poll++) expect((await user.call(openHits)).body.content).toHaveLength(1)
  expect(count.queries).toBe(0)
  await user.call(plates)
  expect(count.queries).toBeGreaterThan(0)
})

test('an open hit lasts until the end of its shift, and follows its entry', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  const station = await api.station()
  const [entry, late, deleted] = [await add(user, 'WX1'), await add(user, 'WX2'), await add(user, 'WX3')]
  // It arrives over an hour after its measurement.
  await passes(station, 1, 'WX2', { createdAt: '2026-10-20T06:59:00Z' })
  await passes(station, 2, 'WX3')
  await passes(station, 3, 'WX1', { createdAt: '2026-10-20T07:59:59Z' })
  await openOf(user, ['WX3', 'WX1'])
  // Passed: the newest first.
  later(api, 600)
  await openOf(user, ['WX1', 'WX3'])
  await user.call(removePlate, { params: { id: deleted } })
  await openOf(user, ['WX1'])
  expect(late).toBeGreaterThan(entry)
  await user.call(changePlate, { params: { id: entry }, body: { plateLpr: 'WX9', description: 'inna tablica' } })
  await openOf(user, [])
  await user.call(changePlate, { params: { id: entry }, body: { plateLpr: 'WX1', description: 'tablica' } })
  await openOf(user, ['WX1'])
  // 14:00 in Warsaw, by a new session.
  api.clock.now = new Date('2026-10-20T11:59:59Z')
  const next = await api.as('WantedList', 'UserManagement')
  await openOf(next, ['WX1'])
  api.clock.now = new Date('2026-10-20T12:00:00Z')
  await openOf(next, [])
  const { content } = (await next.call(latestHits)).body
  expect(content.map(({ plateLpr, outcome }) => [plateLpr, outcome])).toEqual([
    ['WX1', 'untaken'],
    ['WX2', 'late'],
  ])
})

test('the course names messages and what users did, once each', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  const station = await api.station()
  await user.call(addContact, { body: { contact: 'kpp@example.com', typeOfContact: 0, description: 'KPP' } })
  await add(user, 'WX1')
  const key = await passes(station, 1, 'WX1')
  later(api, 2)
  await api.runJobs()
  later(api, 5)
  for (let time = 0; time < 2; time++) expect((await user.call(openHitSheet, key)).status).toBe(200)
  later(api, 5)
  await user.call(takeHit, { ...key, body: {} })
  const { course, notified } = (await user.call(hit, key)).body
  expect(notified).toBe(1)
  expect(course.map(({ step, at, by, count }) => [step, at.slice(17, 19), by?.username ?? null, count])).toEqual([
    ['read', '58', null, null],
    ['sent', '00', null, 1],
    ['delivered', '02', null, 1],
    ['opened', '07', user.username, null],
    ['taken', '12', user.username, null],
  ])
})

test('lists the latest hits over all entries with their outcomes', async () => {
  const api = await testApi()
  const [user, stranger] = [await api.as('BlackList'), await api.as('WantedList')]
  const anonymous = await api.as('BlackList', 'UserManagement', 'Anonymization')
  const station = await api.station()
  await add(user, 'WX1')
  await add(user, 'WX22')
  await user.call(addPlate, { body: { plateLpr: 'WX3', typeOfList: 0, description: 'Kradzież' } })
  const keys = []
  for (const [at, plate] of ['WX1', 'WX22', 'WX3', 'WX1', 'WX1'].entries())
    keys.push(await passes(station, at + 1, plate, { createdAt: `2026-10-20T07:59:0${at}.000Z` }))
  // It arrived too late to be open.
  const late = await passes(station, 6, 'WX1', { createdAt: '2026-10-20T06:00:00.000Z' })
  await openOf(user, ['WX1', 'WX22', 'WX3', 'WX1', 'WX1'])
  await user.call(takeHit, { ...(keys[0] as (typeof keys)[0]), body: {} })
  await user.call(closeHit, { ...(keys[1] as (typeof keys)[0]), body: { reason: 'other-country' } })
  await user.call(closeHit, { ...(keys[2] as (typeof keys)[0]), body: {} })
  await openOf(user, ['WX1', 'WX1', 'WX1'])
  const { content, totalCount } = (await user.call(latestHits, { query: { limit: 5 } })).body
  expect(totalCount).toBe(6)
  expect(content.map(({ plateLpr, outcome, by, reason }) => [plateLpr, outcome, by?.username ?? null, reason])).toEqual(
    [
      ['WX1', 'open', null, null],
      ['WX1', 'open', null, null],
      ['WX3', 'closed', user.username, null],
      ['WX22', 'false', user.username, 'other-country'],
      ['WX1', 'taken', user.username, null],
    ],
  )
  expect((await user.call(latestHits, { query: { limit: 5, page: 2 } })).body.content).toMatchObject([
    { outcome: 'late', entry: { plateLpr: 'WX1', description: 'Kradzież WX1' } },
  ])
  const refused = await user.call(takeHit, { ...late, body: {} })
  expect([refused.status, refused.errors[0]?.code]).toEqual([409, 'hit-late'])
  expect((await user.call(hit, late)).body).toMatchObject({ isLate: true, taken: null, closed: null })
  expect((await user.call(hit, keys[3] as (typeof keys)[0])).body.isLate).toBe(false)
  expect((await stranger.call(latestHits)).body.totalCount).toBe(0)
  expect(JSON.stringify((await anonymous.call(latestHits)).body)).not.toContain('WX22')
})
