import * as current from '@rogatka/contract/current.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import * as vms from '@rogatka/contract/vms.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { type Client, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { insertCommands } from './queries.ts'
import { injectFaults, showSimulated, simulatedStateOf } from './simulated/queries.ts'
import { testSigns, until } from './testing.ts'

const PLATE = '[jp3][jl3]KONTROLA[nl]WX 10001'
const CONTENT = '[jp3][jl3]ZJAZD[nl]NA WAGE'
const SECOND = 1_000

/** A station with an enabled scenario, an operator, and two cars that reach the sign in 38 s. */
async function scene(api: TestApi) {
  const made = await testSigns(api)
  const station = await api.station()
  const operator = await api.as('CurrentMeasurements', 'Vms')
  await operator.call(vms.enableVariant, { params: { groupId: made.groupId, variantId: 1 } })
  await send(station, [car(1), car(2)])
  const about = (sequence: number) => ({ params: { id: vehicleId(testStation.id, sequence) } })
  return { ...made, operator, about, shown: async () => (await simulatedStateOf(api.db, made.signIds[1])).shown }
}

test('clears the plate after the vehicle passes, without a client', async () => {
  const api = await testApi()
  const { operator, about, shown, groupId, signIds } = await scene(api)

  const before = await operator.call(vms.plateStatus, about(1))
  expect(before.body).toMatchObject({
    state: 'ready',
    manageable: true,
    hasPlate: true,
    plateVms: { scenarioEnabled: true },
  })
  const { status, body } = await operator.call(vms.showPlate, about(1))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    state: 'displayed',
    manageable: true,
    setBy: { username: operator.username },
    plateVms: { contentDisplayed: true, allTrucksDisplayed: false, vehicle: { plateLpr: 'WX10001' } },
  })
  expect(body.until).toBe(body.readablePointAt)
  expect(await shown()).toBe(PLATE)
  const [group] = (await operator.call(vms.groups)).body
  expect(group?.vms[1]).toMatchObject({
    shows: { kind: 'plate', text: 'KONTROLA\nWX 10001' },
    plate: { allTrucks: false },
  })
  expect((await operator.call(vms.signImage, { params: { groupId, id: signIds[1] } })).status).toBe(200)

  api.clock.now = new Date(Date.parse(body.until as string) - SECOND)
  expect((await operator.call(vms.plateStatus, about(1))).body.state).toBe('displayed')
  api.clock.now = new Date(Date.parse(body.until as string) + SECOND)
  await until(async () => (await shown()) === CONTENT)
  await until(async () => (await operator.call(vms.plateStatus, about(1))).body.state === 'vehicle-passed')

  // If a slow or repeated command shows it again, it is cleared again.
  await showSimulated(api.db, signIds[1], PLATE, null)
  await until(async () => (await shown()) === CONTENT)
})

test('shows a second operator who uses the sign, and refuses them until it is cancelled', async () => {
  const api = await testApi()
  const { operator, about, shown } = await scene(api)
  const second = await api.as('CurrentMeasurements', 'Vms')
  await operator.call(vms.showPlate, { ...about(1), query: { allTrucks: 'true' } })
  expect(await shown()).toBe('[jp3][jl3]CIEZAROWE[nl]KONTROLA')

  const same = (await second.call(vms.plateStatus, about(1))).body
  expect(same).toMatchObject({
    state: 'this-vehicle-selected',
    manageable: false,
    setBy: { username: operator.username },
  })
  const other = (await second.call(vms.plateStatus, about(2))).body
  expect(other).toMatchObject({ state: 'another-vehicle-selected', plateVms: { allTrucksDisplayed: true } })
  for (const sequence of [1, 2]) {
    const { status, errors } = await second.call(vms.showPlate, about(sequence))
    expect([status, errors[0]?.code]).toEqual([
      409,
      sequence === 1 ? 'this-vehicle-selected' : 'another-vehicle-selected',
    ])
  }
  expect((await second.call(vms.cancelPlate, about(1))).errors[0]?.code).toBe('this-vehicle-selected')

  const cancelled = await operator.call(vms.cancelPlate, about(1))
  expect(cancelled.body).toMatchObject({ state: 'ready', plateVms: { contentDisplayed: false, vehicle: null } })
  expect(await shown()).toBe(CONTENT)
  expect((await operator.call(vms.cancelPlate, about(1))).status).toBe(200)
  expect((await second.call(vms.showPlate, about(2))).status).toBe(200)
})

test('assigns the sign to one of two concurrent operators', async () => {
  const api = await testApi()
  const { operator, about } = await scene(api)
  const second = await api.as('CurrentMeasurements', 'Vms')
  const answers = await Promise.all([operator.call(vms.showPlate, about(1)), second.call(vms.showPlate, about(2))])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('returns the reason if a plate cannot be shown', async () => {
  const api = await testApi()
  const { operator, about, groupId, signIds } = await scene(api)
  const station = await api.station()
  const state = async (sequence: number, looker = operator) =>
    (await looker.call(vms.plateStatus, about(sequence))).body.state

  expect(await state(1, await api.as('CurrentMeasurements'))).toBe('not-permitted')
  await send(station, [car(3, { speed: null }), car(4, { plateLpr: null })])
  expect(await state(3)).toBe('no-arrival-time')
  expect((await operator.call(vms.showPlate, about(3))).errors[0]?.code).toBe('no-arrival-time')
  expect((await operator.call(vms.plateStatus, about(4))).body).toMatchObject({ state: 'ready', hasPlate: false })
  expect((await operator.call(vms.showPlate, about(4))).errors[0]?.code).toBe('no-plate')
  expect((await operator.call(vms.plateStatus, about(9))).status).toBe(404)

  await injectFaults(api.db, signIds[1], { rejects: true })
  const refused = await operator.call(vms.showPlate, about(1))
  expect([refused.status, refused.errors[0]?.code]).toEqual([422, 'sign-rejected-message'])
  // Nothing is shown, so the sign is free.
  expect(await state(1)).toBe('ready')

  await injectFaults(api.db, signIds[1], {})
  await operator.call(vms.disableVariant, { params: { groupId } })
  expect(await state(1)).toBe('scenario-not-enabled')
  await injectFaults(api.db, signIds[1], { offline: true })
  await until(async () => (await state(1)) === 'sign-unavailable')
  const unavailable = await operator.call(vms.showPlate, about(1))
  expect([unavailable.status, unavailable.errors[0]?.code]).toEqual([409, 'sign-unavailable'])
})

test('disabling the group clears the plate; enabling another variant keeps it', async () => {
  const api = await testApi()
  const { operator, about, groupId, signIds, shown } = await scene(api)
  await operator.call(vms.showPlate, about(1))
  const switched = await operator.call(vms.enableVariant, { params: { groupId, variantId: 2 } })
  expect(switched.body.results.find(({ vms }) => vms.id === signIds[1])?.error?.code).toBe('sign-shows-plate')
  expect(await shown()).toBe(PLATE)
  await operator.call(vms.disableVariant, { params: { groupId } })
  expect(await shown()).toBe('')
  expect((await operator.call(vms.plateStatus, about(1))).body.plateVms.contentDisplayed).toBe(false)
})

test('a queued variant does not overwrite a plate', async () => {
  const api = await testApi()
  const { operator, about, signIds, shown } = await scene(api)
  await operator.call(vms.showPlate, about(1))
  // As enqueued by another process before.
  const askedAt = api.clock.now
  const order = { userId: operator.userId, ip: null, askedAt, deadline: new Date(askedAt.getTime() + 20 * SECOND) }
  const ids = await insertCommands(api.db, [{ ...order, signId: signIds[1], kind: 'variant', variant: 2 }])
  const outcome = await until(async () => {
    const [row] = await api.db.query<{ outcome: string | null }>(sql`
      select outcome from vms_command where id = ${ids.get(signIds[1]) as number}`)
    return row?.outcome
  })
  expect(outcome).toBe('sign-shows-plate')
  expect(await shown()).toBe(PLATE)
})

test('masks plates on signs for anonymised roles', async () => {
  const api = await testApi()
  const { operator, about } = await scene(api)
  await operator.call(vms.showPlate, about(1))
  const restricted = await api.as('CurrentMeasurements', 'Vms', 'Anonymization')

  const { body } = await restricted.call(vms.plateStatus, about(1))
  expect(body.plateVms.vehicle?.plateLpr).toBe('WX*****')
  const [group] = (await restricted.call(vms.groups)).body
  expect(group?.vms[1]).toMatchObject({
    shows: { text: 'KONTROLA\nWX*****' },
    plate: { vehicle: { plateLpr: 'WX*****' } },
  })
  // The image URL is the same for all plates masked alike, so it reveals none.
  const imageFor = async (client: Client = operator) => (await client.call(vms.groups)).body[0]?.vms[1]?.image
  const [seen, masked] = [await imageFor(), await imageFor(restricted)]
  await operator.call(vms.cancelPlate, about(1))
  await operator.call(vms.showPlate, about(2))
  expect(await imageFor(restricted)).toBe(masked)
  expect(await imageFor()).not.toBe(seen)
  await operator.call(vms.cancelPlate, about(2))
  await operator.call(vms.showPlate, about(1))
  const detail = await restricted.call(current.detail, { ...about(1), query: { locationId: testStation.id } })
  expect(detail.body).toMatchObject({ manageable: false, plateVms: { vehicle: { plateLpr: 'WX*****' } } })
})

test('clears a plate after the server was killed and restarted', async () => {
  const api = await testApi()
  const { operator, about, shown } = await scene(api)
  const { body } = await operator.call(vms.showPlate, about(1))
  // Like a kill: running work ends without clean-up.
  await api.app.close()
  api.clock.now = new Date(Date.parse(body.until as string) + SECOND)
  expect(await shown()).toBe(PLATE)

  const later = await testApi({}, { name: api.name, clock: api.clock })
  await until(async () => (await shown()) === CONTENT, 5_000)
  const ended = () => later.db.query(sql`select ending_reason from vms_plate where ended_at is not null`)
  expect(await until(async () => (await ended())[0])).toEqual({ ending_reason: 'passed' })
})

test('executes pending commands of a killed server', async () => {
  const api = await testApi()
  const { signIds, shown } = await scene(api)
  await api.app.close()
  const askedAt = api.clock.now
  const order = { userId: null, ip: null, askedAt, deadline: new Date(askedAt.getTime() + 20 * SECOND) }
  await insertCommands(api.db, [{ ...order, signId: signIds[1], kind: 'clear' }])
  expect(await shown()).toBe(CONTENT)

  await testApi({}, { name: api.name, clock: api.clock })
  await until(async () => (await shown()) === '', 5_000)
})

test('one leader process controls the signs, and another takes over when it ends', async () => {
  const api = await testApi()
  const { operator, about, shown, groupId } = await scene(api)
  const other = await testApi({}, { name: api.name, clock: api.clock })
  const there = other.client(operator.token)

  const speaking = await api.db.query(sql`
    select pid from pg_locks
    where locktype = 'advisory' and granted and objid = 1203
      and database = (select oid from pg_database where datname = current_database())`)
  expect(speaking).toHaveLength(1)
  // Commanded through one process, visible in the other.
  const { body } = await there.call(vms.showPlate, about(1))
  expect(body.state).toBe('displayed')
  expect((await operator.call(vms.plateStatus, about(1))).body).toEqual(
    (await there.call(vms.plateStatus, about(1))).body,
  )
  const [here, afar] = [await operator.call(vms.groups), await there.call(vms.groups)]
  expect(here.body.map(({ vms }) => vms.map(({ shows }) => shows))).toEqual(
    afar.body.map(({ vms }) => vms.map(({ shows }) => shows)),
  )

  await api.app.close()
  api.clock.now = new Date(Date.parse(body.until as string) + SECOND)
  await until(async () => (await shown()) === CONTENT, 5_000)
  const { results } = (await there.call(vms.disableVariant, { params: { groupId } })).body
  expect(results.map(({ done }) => done)).toEqual([true, true])
})
