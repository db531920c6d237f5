import { search } from '@rogatka/contract/archive.ts'
import { detail, list } from '@rogatka/contract/current.ts'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { addPlate, changePlate, hits, markHit, plates, removePlate } from '@rogatka/contract/wanted.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { type Client, eventually, testApi } from '../testing/test-api.ts'

const add = async (user: Client, plateLpr: string, more: Record<string, unknown> = {}) => {
  const { status, body } = await user.call(addPlate, {
    body: { plateLpr, typeOfList: 0, description: `Szukany ${plateLpr}`, ...more },
  })
  expect(status).toBe(200)
  return body.id
}

const passes = async (station: Client, sequence: number, plateLpr: string, more: Partial<WireMeasurement> = {}) =>
  expect((await send(station, [car(sequence, { plateLpr, ...more })])).body.accepted).toBe(1)

const hitsOf = async (user: Client, id: number) => (await user.call(hits, { params: { id } })).body

/** The mark of a vehicle on a user's live list, once it is there. */
const markOf = (user: Client, sequence: number) =>
  eventually(async () => {
    const { body } = await user.call(list)
    const vehicle = body.content.find(({ id }) => id === vehicleId(7, sequence))
    expect(vehicle).toBeDefined()
    return vehicle?.wanted
  })

test('a vehicle hits every entry of its plate once, however often it is sent', async () => {
  const api = await testApi()
  const [user, other] = [await api.as('WantedList'), await api.as('WantedList')]
  const station = await api.station()
  const mine = await add(user, 'WX 0815')
  const theirs = await add(other, 'wx0815', { typeOfList: 1 })
  const unseen = await add(user, 'WX 0816')
  await passes(station, 1, 'wx-08 15')
  expect((await send(station, [car(1, { plateLpr: 'wx-08 15' })])).body.duplicates).toBe(1)
  await passes(station, 2, 'WX0815', { createdAt: '2026-10-19T08:00:00Z' })

  const found = await hitsOf(user, mine)
  expect(found).toMatchObject({
    totalCount: 2,
    content: [
      {
        id: vehicleId(7, 1),
        plateLpr: 'WX0815',
        location: { id: 7, shortName: 'S8 Test' },
        laneNumber: 1,
        falseHit: false,
      },
      { id: vehicleId(7, 2), createdAt: '2026-10-19T08:00:00.000Z' },
    ],
  })
  // As the vehicle has it; unknown once it is deleted.
  const params = { id: vehicleId(7, 1) }
  const query = { locationId: 7, createdAt: found.content[0]?.createdAt as string }
  const vehicle = (await (await api.as('CurrentMeasurements')).call(detail, { params, query })).body
  expect(vehicle.checkpointTime).not.toBeNull()
  expect(found.content[0]?.checkpointTime).toBe(vehicle.checkpointTime)
  await api.db.execute(sql`delete from vehicle where id = ${vehicleId(7, 2)}`)
  expect((await hitsOf(user, mine)).content[1]?.checkpointTime).toBeNull()
  expect((await hitsOf(other, theirs)).totalCount).toBe(2)
  expect((await hitsOf(user, unseen)).totalCount).toBe(0)
  const { content } = (await user.call(plates, { query: { orderDirection: 'asc' } })).body
  expect(content.map((entry) => entry.hits)).toEqual([2, 0])
})

test('matches look-alike characters only if the entry allows it', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  const station = await api.station()
  const strict = await add(user, 'WO1Z')
  const lenient = await add(user, 'BS5O', { allowMisread: true })
  await passes(station, 1, 'W0IZ')
  await passes(station, 2, '8550')
  await passes(station, 3, '8551')
  expect((await hitsOf(user, strict)).totalCount).toBe(0)
  expect((await hitsOf(user, lenient)).content.map(({ plateLpr }) => plateLpr)).toEqual(['8550'])
})

test('an entry matches nothing from its expiry on', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  const station = await api.station()
  const id = await add(user, 'WX1', { expiresAt: '2026-10-20T08:00:30Z' })
  await passes(station, 1, 'WX1', { createdAt: '2026-10-20T08:00:29.999Z' })
  await passes(station, 2, 'WX1', { createdAt: '2026-10-20T08:00:30.000Z' })
  expect((await hitsOf(user, id)).content.map((hit) => hit.id)).toEqual([vehicleId(7, 1)])
})

test('marks live hits for the owner and for users who see all entries, in every process', async () => {
  const api = await testApi()
  const second = await testApi({}, api)
  const owner = await api.as('BlackList', 'CurrentMeasurements')
  const manager = await api.as('WantedList', 'UserManagement', 'CurrentMeasurements')
  const stranger = await api.as('WantedList', 'CurrentMeasurements')
  const withoutList = await api.as('UserManagement', 'CurrentMeasurements')
  const station = await api.station()
  await add(owner, 'WX1')
  await passes(station, 1, 'WX1')

  const expected = { typeOfList: 0, description: 'Szukany WX1' }
  for (const user of [owner, manager, second.client(owner.token)]) expect(await markOf(user, 1)).toEqual(expected)
  for (const user of [stranger, withoutList]) expect(await markOf(user, 1)).toBeUndefined()
  const key = { params: { id: vehicleId(7, 1) }, query: { locationId: 7 } }
  expect((await owner.call(detail, key)).body.wanted).toEqual(expected)
  expect((await stranger.call(detail, key)).body.wanted).toBeUndefined()
})

test('black precedes white, also in a process that starts later', async () => {
  const api = await testApi()
  const user = await api.as('WantedList', 'CurrentMeasurements')
  const station = await api.station()
  await add(user, 'WX1', { typeOfList: 1, description: 'Służba drogowa' })
  await add(user, 'WX2', { typeOfList: 1 })
  await add(user, 'WX2', { description: 'Kradzież' })
  await passes(station, 1, 'WX1')
  await passes(station, 2, 'WX2')
  const later = (await testApi({}, api)).client(user.token)
  for (const caller of [user, later]) {
    expect(await markOf(caller, 1)).toEqual({ typeOfList: 1, description: 'Służba drogowa' })
    expect(await markOf(caller, 2)).toEqual({ typeOfList: 0, description: 'Kradzież' })
  }
})

test('a false hit is not counted and has no mark until this is undone', async () => {
  const api = await testApi()
  const user = await api.as('WantedList', 'CurrentMeasurements')
  const station = await api.station()
  const id = await add(user, 'WX1')
  await passes(station, 1, 'WX1')
  const { createdAt } = car(1)
  const judge = (falseHit: boolean, vehicle = vehicleId(7, 1)) =>
    user.call(markHit, { params: { id, vehicleId: vehicle }, query: { createdAt }, body: { falseHit } })
  expect(await markOf(user, 1)).toBeDefined()

  expect((await judge(true)).status).toBe(204)
  await eventually(async () => expect(await markOf(user, 1)).toBeUndefined())
  expect((await user.call(plates)).body.content[0]?.hits).toBe(0)
  expect((await hitsOf(user, id)).content).toMatchObject([{ falseHit: true }])
  expect((await judge(false)).status).toBe(204)
  await eventually(async () => expect(await markOf(user, 1)).toBeDefined())
  expect((await judge(true, vehicleId(7, 9))).errors[0]?.code).toBe('hit-not-found')
})

test('deleting an entry removes its mark from the live list', async () => {
  const api = await testApi()
  const user = await api.as('WantedList', 'CurrentMeasurements')
  const station = await api.station()
  const id = await add(user, 'WX1')
  await passes(station, 1, 'WX1')
  expect(await markOf(user, 1)).toBeDefined()
  await user.call(removePlate, { params: { id } })
  await eventually(async () => expect(await markOf(user, 1)).toBeUndefined())
})

test('anonymised roles cannot add plates, and see existing ones masked', async () => {
  const api = await testApi()
  const manager = await api.as('WantedList', 'UserManagement')
  const restricted = await api.as('WantedList', 'CurrentMeasurements', 'Anonymization')
  const station = await api.station()
  const refused = await restricted.call(addPlate, { body: { plateLpr: 'WX12345', typeOfList: 0, description: 'x' } })
  expect([refused.status, refused.errors[0]?.code]).toEqual([403, 'plates-are-anonymised'])

  const id = await add(manager, 'WX12345', { userId: restricted.userId, description: 'Kradzież wx 123-45, Wyszków' })
  await passes(station, 1, 'WX12345')
  const description = 'Kradzież WX*****, Wyszków'
  expect((await restricted.call(plates)).body.content).toMatchObject([{ plateLpr: 'WX*****', description, hits: 1 }])
  expect((await hitsOf(restricted, id)).content).toMatchObject([{ plateLpr: 'WX*****', entryPlate: 'WX*****' }])
  expect(await markOf(restricted, 1)).toEqual({ typeOfList: 0, description })
})

test('deletes hits with their vehicles', async () => {
  const api = await testApi({ retentionDays: 30 })
  const user = await api.as('WantedList')
  const station = await api.station()
  const id = await add(user, 'WX1')
  await passes(station, 1, 'WX1')
  // One of an entry that was deleted meanwhile.
  await api.db.execute(sql`
    insert into wanted_hit (created_at, vehicle_id, wanted_id, location_id, plate_lpr, lane_number)
    values (${api.clock.now}::timestamptz, 1, ${id + 1000}, 7, 'WX1', 1)`)
  const forget = api.app.jobs.recurring.find(({ name }) => name === 'forget-hits')
  await forget?.work()
  expect((await hitsOf(user, id)).totalCount).toBe(1)
  expect(await api.db.query(sql`select wanted_id as id from wanted_hit`)).toEqual([{ id }])
  api.clock.now = new Date('2026-11-20T08:00:00Z')
  await forget?.work()
  const later = await api.as('WantedList', 'UserManagement')
  expect((await hitsOf(later, id)).totalCount).toBe(0)
})

test('a corrected plate keeps earlier hits without marks, live and in the archive', async () => {
  const api = await testApi()
  const user = await api.as('WantedList', 'CurrentMeasurements', 'ArchiveMeasurements')
  const station = await api.station()
  const id = await add(user, 'WX 281', { description: 'Kradzież' })
  await passes(station, 1, 'WX281')
  expect(await markOf(user, 1)).toBeDefined()
  const correct = async (plateLpr: string, more: Record<string, unknown> = {}) =>
    expect(
      (await user.call(changePlate, { params: { id }, body: { plateLpr, description: 'Kradzież', ...more } })).status,
    ).toBe(200)
  const archived = async () => {
    const query = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', locations: [7] }
    const { content } = (await user.call(search, { query })).body
    return Object.fromEntries(content.map((vehicle) => [vehicle.plateLpr, vehicle.wanted?.description]))
  }

  await correct('WX 287')
  await eventually(async () => expect(await markOf(user, 1)).toBeUndefined())
  await passes(station, 2, 'WX287')
  expect(await markOf(user, 2)).toBeDefined()
  const key = { params: { id: vehicleId(7, 1) }, query: { locationId: 7 } }
  expect((await user.call(detail, key)).body.wanted).toBeUndefined()
  expect(await archived()).toEqual({ WX281: undefined, WX287: 'Kradzież' })
  const { content } = await hitsOf(user, id)
  expect(Object.fromEntries(content.map(({ plateLpr, entryPlate }) => [plateLpr, entryPlate]))).toEqual({
    WX281: 'WX281',
    WX287: 'WX287',
  })

  // A plate with a look-alike character matches only while the entry allows it.
  await correct('WXZ8I', { allowMisread: true })
  await passes(station, 3, 'WX281')
  expect(await markOf(user, 3)).toBeDefined()
  expect((await hitsOf(user, id)).content.find((hit) => hit.id === vehicleId(7, 3))?.entryPlate).toBe('WXZ8I')
  await correct('WXZ8I')
  await eventually(async () => expect(await markOf(user, 3)).toBeUndefined())
})
