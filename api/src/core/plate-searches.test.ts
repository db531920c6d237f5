import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { API_BASE, type Endpoint } from '@rogatka/contract/endpoint.ts'
import { add as addSystem } from '@rogatka/contract/systems.ts'
import * as wanted from '@rogatka/contract/wanted.ts'
import { expect, test } from 'vitest'
import { updateDerived } from '../archive/derived/maintenance.ts'
import { car, send } from '../ingest/testing.ts'
import { addressOf, readEventStream } from '../testing/event-stream.ts'
import { type Client, eventually, testApi } from '../testing/test-api.ts'
import { sql } from './statement.ts'

const RANGE = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', locations: '7' }
const ID = /^[A-Za-z0-9_-]{22}$/

/** A station with two vehicles, measured two seconds before `now`. */
async function scene(settings: Parameters<typeof testApi>[0] = {}) {
  const api = await testApi(settings)
  const station = await api.station()
  await send(station, [car(1, { plateLpr: 'GR7K201' }), car(2, { plateLpr: 'WX90210' })])
  await updateDerived(api.db)
  return api
}

const platesOf = ({ content }: { content: readonly { plateLpr: string | null }[] }) =>
  content.map(({ plateLpr }) => plateLpr)

type Parts = { params?: object; query?: object; body?: object }

/** Status, code and field of a refusal. */
async function refusal(client: Client, endpoint: Endpoint, parts: Parts) {
  const { status, errors } = await client.call(endpoint, parts as never)
  return [status, errors[0]?.code, errors[0]?.path]
}

test('an id stands for a plate in the archive, in its reports and on other processes, for its owner alone', async () => {
  const api = await scene()
  const [user, other] = [
    await api.as('ArchiveMeasurements', 'CurrentMeasurements'),
    await api.as('ArchiveMeasurements'),
  ]
  const filters = { plateLpr: 'GR7K2*', minSpeed: 1, ...RANGE, locations: [7] }
  const { searchId, expiresAt } = (await user.call(archive.saveSearch, { body: { filters } })).body
  expect(searchId).toMatch(ID)
  expect(expiresAt).toBe('2026-10-20T20:00:00.000Z')
  expect((await user.call(archive.saveSearch, { body: { filters } })).body.searchId).not.toBe(searchId)

  const search = { query: { search: searchId } }
  const found = (await user.call(archive.search, search)).body
  expect([platesOf(found), found.totalCount]).toEqual([['GR7K201'], 1])
  // Filters of the address come before those saved: this speed matches no vehicle.
  expect((await user.call(archive.search, { query: { search: searchId, minSpeed: 300 } })).body.totalCount).toBe(0)
  const { link } = (await user.call(archive.report, { query: { search: searchId, reportType: 'csv' } })).body
  const file = await api.app.api.http.inject({
    url: API_BASE + link,
    headers: { authorization: `Bearer ${user.token}` },
  })
  expect([file.payload.includes('GR7K201'), file.payload.includes('WX90210')]).toEqual([true, false])
  const opened = (await user.call(archive.openSearch, { params: { id: searchId } })).body
  expect(opened).toEqual({
    filters: {
      ...{ plateLpr: 'GR7K2*', minSpeed: 1, locations: ['7'] },
      ...{ dateTimeStart: '2026-10-20T00:00:00.000Z', dateTimeEnd: '2026-10-21T00:00:00.000Z' },
    },
    expiresAt,
  })

  // Nobody else, and nowhere else.
  const notFound = [404, 'search-not-found', null]
  expect(await refusal(other, archive.search, search)).toEqual(notFound)
  expect(await refusal(other, archive.openSearch, { params: { id: searchId } })).toEqual(notFound)
  expect(await refusal(other, archive.report, { query: { search: searchId, reportType: 'csv' } })).toEqual(notFound)
  expect(await refusal(user, current.list, search)).toEqual(notFound)
  for (const id of ['x', 'A'.repeat(22), `${searchId}A`])
    expect(await refusal(user, archive.search, { query: { search: id } }), id).toEqual(notFound)

  // The other process reads it from the database, in which no plate stands.
  const process = await testApi({}, api)
  expect(platesOf((await process.client(user.token).call(archive.search, search)).body)).toEqual(['GR7K201'])
  // Bytes are written in hexadecimal.
  const stored = await api.db.query<{ text: string }>(sql`select s::text as text from plate_search s`)
  expect(stored).not.toHaveLength(0)
  expect(stored.map(({ text }) => text).join()).not.toMatch(/GR7K2|4752374b32/i)

  // Saved with an id of the caller's own: a plate alone, so that the other filters are in the address, or missing.
  const own = { searchId: 'b7FKvXQ0S0yXx1m2d3e4fA', filters: { plateLpr: 'WX90210' } }
  expect((await user.call(archive.saveSearch, { body: own })).body).toEqual({ searchId: own.searchId, expiresAt })
  expect(await refusal(user, archive.saveSearch, { body: { ...own, searchId: 'short' } })).toEqual([
    ...[400, 'invalid-value', 'searchId'],
  ])
  const part = { search: own.searchId }
  expect(platesOf((await user.call(archive.search, { query: { ...part, ...RANGE } })).body)).toEqual(['WX90210'])
  expect(await refusal(user, archive.search, { query: part })).toEqual([
    ...[400, 'required-parameter-missing', 'dateTimeStart'],
  ])
  const { dateTimeStart, dateTimeEnd } = RANGE
  const reversed = { ...part, ...RANGE, dateTimeStart: dateTimeEnd, dateTimeEnd: dateTimeStart }
  expect(await refusal(user, archive.search, { query: reversed })).toEqual([400, 'start-after-end', 'dateTimeStart'])
})

test('ids stand for plates in the live list, its stream, check and counters, and for texts in the lists', async () => {
  const secretKey = Buffer.alloc(32, 7)
  const api = await scene({ secretKey })
  const user = await api.as('CurrentMeasurements', 'BlackList', 'WhiteList')
  await eventually(async () => expect((await user.call(current.list)).body.content).toHaveLength(2))
  const { searchId } = (await user.call(current.saveSearch, { body: { filters: { plateLpr: 'GR7K201' } } })).body
  const query = { search: searchId }
  expect(platesOf((await user.call(current.list, { query })).body)).toEqual(['GR7K201'])
  expect((await user.call(current.counters, { query })).body).toMatchObject([{ locationId: 7, vehicles: 1 }])
  const onlyWx = (await user.call(current.saveSearch, { body: { filters: { plateLpr: 'WX9' } } })).body.searchId
  expect((await user.call(current.check, { query })).body).toEqual({ refresh: true })
  expect((await user.call(current.check, { query: { search: onlyWx } })).body).toEqual({ refresh: false })
  const stream = await readEventStream(
    await addressOf(api),
    user.token,
    `${API_BASE}${current.stream.path}?search=${searchId}`,
  )
  expect(platesOf(await stream.next('list'))).toEqual(['GR7K201'])
  stream.close()
  expect((await user.call(current.openSearch, { params: { id: searchId } })).body.filters).toEqual({
    plateLpr: 'GR7K201',
  })

  for (const plateLpr of ['GR7K201', 'WX90210'])
    await user.call(wanted.addPlate, { body: { plateLpr, typeOfList: 0, description: 'x' } })
  const text = (await user.call(wanted.saveSearch, { body: { filters: { search: 'gr7' } } })).body.searchId
  const listed = { query: { searchId: text, state: 'valid' as const } }
  expect(platesOf((await user.call(wanted.plates, listed)).body)).toEqual(['GR7K201'])
  expect((await user.call(wanted.openSearch, { params: { id: text } })).body.filters).toEqual({ search: 'gr7' })
  const { link } = (await user.call(wanted.exportPlates, { query: { searchId: text } })).body
  const { payload } = await api.app.api.http.inject({
    url: API_BASE + link,
    headers: { authorization: `Bearer ${user.token}` },
  })
  expect([payload.includes('GR7K201'), payload.includes('WX90210')]).toEqual([true, false])

  // With another SECRET_KEY a search does not open, and can be saved again.
  const rekeyed = (await testApi({ secretKey: Buffer.alloc(32, 8) }, api)).client(user.token)
  const params = { params: { id: searchId } }
  expect(await refusal(rekeyed, current.openSearch, params)).toEqual([404, 'search-not-found', null])
  await rekeyed.call(current.saveSearch, { body: { searchId, filters: { plateLpr: 'GR7K201' } } })
  expect((await rekeyed.call(current.openSearch, params)).body.filters).toEqual({ plateLpr: 'GR7K201' })
})

test('users of anonymised data save and open no search, and one of a system opens for 12 hours', async () => {
  const api = await scene()
  const user = await api.as('ArchiveMeasurements', 'Anonymization', 'CurrentMeasurements', 'BlackList')
  const filters = { plateLpr: 'GR7K201' }
  const saves = [
    [archive.saveSearch, archive.openSearch, filters, 'archive'],
    [current.saveSearch, current.openSearch, filters, 'current'],
    [wanted.saveSearch, wanted.openSearch, { search: 'GR7' }, 'wanted'],
  ] as const
  for (const [save, open, saved, page] of saves) {
    expect(await refusal(user, save, { body: { filters: saved } }), page).toContain('plates-are-anonymised')
    // Saved by themselves, before their role was changed.
    const { searchId } = await api.app.api.searches.save(
      { page, filters: open.response.shape.filters },
      user,
      { filters: saved },
      api.clock.now,
    )
    expect(await refusal(user, open, { params: { id: searchId } }), page).toContain('plates-are-anonymised')
    const lists = { archive: archive.search, current: current.list, wanted: wanted.plates }
    const query = page === 'wanted' ? { searchId } : { search: searchId, ...RANGE }
    expect(await refusal(user, lists[page], { query }), page).toContain('plates-are-anonymised')
  }
  expect(await refusal(user, archive.findPlates, { body: { beginning: 'GR7' } })).toContain(403)

  const admin = await api.as('Exchange', 'ArchiveMeasurements')
  const system = { name: 'Krajowy', locationIds: [7], plates: true, validUntil: '2026-12-31' }
  const body = { ...system, rights: ['ArchiveMeasurements' as const] }
  const client = api.client((await admin.call(addSystem, { body })).body.key)
  const own = { searchId: 'b7FKvXQ0S0yXx1m2d3e4fA', filters }
  const query = { search: own.searchId, ...RANGE }
  expect((await client.call(archive.saveSearch, { body: own })).body.expiresAt).toBe('2026-10-20T20:00:00.000Z')
  expect(platesOf((await client.call(archive.search, { query })).body)).toEqual(['GR7K201'])
  const notFound = [404, 'search-not-found', null]
  expect(await refusal(admin, archive.search, { query })).toEqual(notFound)
  expect(await refusal(admin, archive.saveSearch, { body: own })).toEqual([404, 'search-not-found', 'searchId'])

  // Saved again, it opens for longer; with other filters it is another search.
  const { searchId: first } = (await client.call(archive.saveSearch, { body: { filters } })).body
  api.clock.now = new Date('2026-10-20T09:00:00Z')
  const prolonged = (await client.call(archive.saveSearch, { body: own })).body
  expect(prolonged).toEqual({ searchId: own.searchId, expiresAt: '2026-10-20T21:00:00.000Z' })
  const changed = { ...own, filters: { plateLpr: 'WX90210' } }
  expect(await refusal(client, archive.saveSearch, { body: changed })).toEqual([409, 'conflict', 'searchId'])

  // Twelve hours later it is gone, in memory as in the database.
  const fresh = (await testApi({}, api)).client(client.token)
  api.clock.now = new Date('2026-10-20T19:59:59.999Z')
  const params = { id: first }
  for (const process of [client, fresh])
    expect((await process.call(archive.openSearch, { params })).body.filters).toEqual(filters)
  api.clock.now = new Date('2026-10-20T20:00:00Z')
  for (const process of [client, fresh])
    expect(await refusal(process, archive.openSearch, { params })).toEqual(notFound)
  await api.app.jobs.recurring.find(({ name }) => name === 'delete-expired-searches')?.work()
  const kept = await api.db.query(sql`select encode(id, 'base64') as id from plate_search where owner_id < 0`)
  expect(kept).toEqual([{ id: 'b7FKvXQ0S0yXx1m2d3e4fA==' }])
})

test('with PLATE_IN_ADDRESS=refused no call takes a plate from its address', async () => {
  const api = await scene({ plateInAddress: 'refused' })
  const user = await api.as('ArchiveMeasurements', 'CurrentMeasurements', 'BlackList')
  const plate = { plateLpr: 'GR7K201' }
  const refused = (path: string) => [400, 'plate-in-address', path]
  expect(await refusal(user, archive.search, { query: { ...RANGE, ...plate } })).toEqual(refused('plateLpr'))
  expect(await refusal(user, archive.search, { query: { ...RANGE, plates: ['GR7K201'] } })).toEqual(refused('plates'))
  const report = { ...RANGE, ...plate, reportType: 'csv' as const }
  expect(await refusal(user, archive.report, { query: report })).toEqual(refused('plateLpr'))
  expect(await refusal(user, archive.plates, { query: { beginning: 'GR7' } })).toEqual(refused('beginning'))
  for (const endpoint of [current.list, current.check, current.counters, current.stream])
    expect(await refusal(user, endpoint, { query: plate }), endpoint.path).toEqual(refused('plateLpr'))
  for (const endpoint of [wanted.plates, wanted.exportPlates])
    expect(await refusal(user, endpoint, { query: { search: 'GR7' } }), endpoint.path).toEqual(refused('search'))
  // Empty values are none, and bodies and ids stay.
  expect((await user.call(archive.search, { query: { ...RANGE, plateLpr: '', similarity: 90 } })).body.totalCount).toBe(
    2,
  )
  expect((await user.call(archive.findPlates, { body: { beginning: 'gr7' } })).body.content).toMatchObject([plate])
  const { searchId } = (await user.call(archive.saveSearch, { body: { filters: { plates: ['GR7K201'] } } })).body
  expect((await user.call(archive.search, { query: { ...RANGE, search: searchId } })).body.totalCount).toBe(1)
})

test('no log line holds a plate, also for refused and failed requests', async () => {
  const api = await scene({ logLevel: 'trace' })
  const user = await api.as('ArchiveMeasurements', 'CurrentMeasurements', 'BlackList')
  const plate = { plateLpr: 'GR7K201' }
  await user.call(archive.search, { query: { ...RANGE, ...plate } })
  await user.call(current.list, { query: plate })
  await user.call(wanted.plates, { query: { search: 'GR7K201' } })
  await user.call(archive.findPlates, { body: { beginning: 'GR7K201' } })
  await user.call(archive.saveSearch, { body: { filters: plate } })
  await user.call(wanted.addPlate, { body: { ...plate, typeOfList: 0, description: 'x' } })
  const stranger = await api.as('Stat')
  expect((await stranger.call(archive.search, { query: { ...RANGE, ...plate } })).status).toBe(403)
  const { http } = api.app.api
  await http.inject(`${API_BASE}/nothing/GR7K201?plateLpr=GR7K201`)
  await http.inject(`${API_BASE}/arch-vehicles/%?plateLpr=GR7K201`)
  const req = {
    method: 'GET',
    url: '/x?beginning=GR7K201&gr7k201',
    routeOptions: { url: '/x', schema: { querystring: archive.plates.query } },
  }
  http.log.warn({ req }, 'as Fastify logs a request')

  // The database names the row in the details of an error, and a value in the message of another.
  await api.db.execute(sql`alter table wanted_plate add constraint never check (plate <> 'GR7K202')`)
  const failing = { body: { plateLpr: 'GR7K202', typeOfList: 0 as const, description: 'x' } }
  expect((await user.call(wanted.addPlate, failing)).status).toBe(500)
  for (const cause of [sql`select ${'GR7K203'}::int`, sql`select ('GR7K203' || ${'x'})::int`])
    await api.db.query(cause).catch((err) => http.log.error({ err }, `failed: ${err.message} ${err.stack}`))
  const lines = api.logged.join('')
  expect(lines).toContain('"constraint":"never"')
  expect(lines).toContain('invalid input syntax for type integer: \\"…\\"')
  expect(lines).toContain('"/x?beginning=…&…"')
  expect(lines).not.toMatch(/GR7K20/i)
})
