import * as current from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import * as endpoints from '@rogatka/contract/inspections.ts'
import { queueTimes } from '@rogatka/contract/inspections-queue.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { enableVariant, groups } from '@rogatka/contract/vms.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { send } from '../ingest/testing.ts'
import { addressOf, readEventStream } from '../testing/event-stream.ts'
import { type Client, eventually, testApi } from '../testing/test-api.ts'
import { simulatedStateOf } from '../vms/simulated/queries.ts'
import { testSigns } from '../vms/testing.ts'
import {
  addRequest,
  codesOf,
  inspectionScene,
  lorry,
  MEASURED_AT,
  open,
  readInspection,
  runJob,
  shownInspections,
} from './testing.ts'

test('an announced vehicle passes by 15 minutes after the checkpoint, and can be taken over for 12 hours', async () => {
  const api = await testApi()
  const { station } = await inspectionScene(api, 2)
  // Its speed is unknown, so it has no checkpoint time.
  await send(station, [lorry(3, { speed: null })])
  const announcer = await api.as('Inspections')
  const late = await open(announcer, 1)
  const again = await open(announcer, 2)
  const unknown = await open(announcer, 3)
  const { wim } = await readInspection(announcer, late.id)
  const due = new Date(Date.parse(wim?.checkpointTime as string) + 15 * 60_000)
  const { wim: second } = await readInspection(announcer, again.id)
  expect((await announcer.call(queueTimes, {})).body).toEqual({
    taken: 0,
    arrivals: [wim?.checkpointTime, second?.checkpointTime, null],
  })
  const stateAt = async (at: Date, id: number) => {
    api.clock.now = at
    await runJob(api, 'pass-inspections')
    return (await readInspection(await api.as('InspectionReview'), id)).state
  }
  expect(await stateAt(new Date(+due - 1), late.id)).toBe('announced')
  // 15 minutes after the announcement.
  expect((await readInspection(await api.as('InspectionReview'), unknown.id)).passedBy).toEqual({
    at: '2026-10-20T08:15:00.000Z',
    by: null,
  })
  expect(await stateAt(due, late.id)).toBe('passedBy')
  expect(await api.db.query(sql`select user_id from audit where action = 'inspection-passed-by'`)).toEqual(
    Array(3).fill({ user_id: null }),
  )

  api.clock.now = new Date(+due + 12 * 3_600_000)
  const officer = await api.as('Inspections')
  const take = (id: number) => officer.call(endpoints.takeOver, { params: { id }, body: { version: 2 } })
  expect((await officer.call(endpoints.list, { query: { open: true } })).body.totalCount).toBe(2)
  expect((await take(late.id)).body).toMatchObject({
    state: 'takenOver',
    passedBy: null,
    takenOverAt: api.clock.now.toISOString(),
    shift: { day: '2026-10-20', start: '22:00' },
  })
  expect((await officer.call(queueTimes, {})).body).toEqual({ taken: 1, arrivals: [] })
  expect((await officer.call(queueTimes, { query: { locations: '999' } })).body).toEqual({ taken: 0, arrivals: [] })
  api.clock.now = new Date(+due + 12 * 3_600_000 + 1)
  expect(codesOf(await take(again.id))).toEqual(['null inspection-not-found'])
})

test('a vehicle that has passed is not announced but taken over, by the time that was entered', async () => {
  const api = await testApi()
  const { station } = await inspectionScene(api, 2)
  await send(station, [lorry(3, { speed: null })])
  api.clock.now = new Date('2026-10-20T08:16:00Z')
  let officer = await api.as('Inspections', 'CurrentMeasurements', 'ArchiveMeasurements')
  const add = async (sequence: number, body: object = {}) =>
    codesOf(await officer.call(endpoints.add, addRequest(sequence, body)))
  expect(await add(3)).toEqual(['state state-not-allowed'])
  const first = await open(officer, 1)
  const checkpoint = Date.parse((await readInspection(officer, first.id)).wim?.checkpointTime as string)
  await officer.call(endpoints.withdraw, { params: { id: first.id }, body: { version: 1, reason: 'Pomyłka' } })
  api.clock.now = new Date(checkpoint + 15 * 60_000)
  expect(await add(1)).toEqual(['state state-not-allowed'])
  const offline = await open(officer, 2, { at: new Date(checkpoint + 15 * 60_000 - 1).toISOString() })
  expect((await readInspection(officer, offline.id)).state).toBe('announced')

  // Its mark is that of the closed one, not of a later one without result.
  const taken = await open(officer, 1, { state: 'takenOver' })
  const closing = { params: { id: taken.id }, body: { version: 1, results: [10 as const] } }
  expect((await officer.call(endpoints.close, closing)).body.state).toBe('closed')
  const again = await open(officer, 1, { state: 'takenOver' })
  expect((await shownInspections(officer)).map((it) => it?.id)).toEqual([again.id, again.id])
  await officer.call(endpoints.withdraw, { params: { id: again.id }, body: { version: 1, reason: 'Pomyłka' } })
  expect((await shownInspections(officer)).map((it) => it?.id)).toEqual([taken.id, taken.id])

  api.clock.now = new Date(checkpoint + 12 * 3_600_000 + 1)
  officer = await api.as('Inspections')
  expect(await add(3, { state: 'takenOver' })).toEqual(['state state-not-allowed'])
  expect(await add(1, { state: 'takenOver' })).toEqual(['state state-not-allowed'])
})

test('announcing calls the vehicle to the sign, which may fail alone, and taking over clears it', async () => {
  const api = await testApi()
  const { groupId, signIds } = await testSigns(api)
  await inspectionScene(api, 3)
  const shown = async () => (await simulatedStateOf(api.db, signIds[1])).shown
  const officer = await api.as('Inspections', 'Vms', 'CurrentMeasurements')
  const call = (user: Client, sequence: number, key?: string) =>
    user.call(endpoints.add, addRequest(sequence, { callOnSign: true }, key))

  // The signs were polled.
  await eventually(async () =>
    expect((await officer.call(groups)).body[0]?.vms.map(({ vmsStatus }) => vmsStatus.available)).toEqual([true, true]),
  )
  // The scenario is not enabled.
  const failed = (await call(officer, 1)).body
  expect(failed.sign).toMatchObject({ isShown: false, error: { code: 'scenario-not-enabled' } })
  expect((await readInspection(officer, failed.id)).state).toBe('announced')
  const unable = (await call(await api.as('Inspections'), 2)).body
  expect(unable.sign).toMatchObject({ isShown: false, error: { code: 'forbidden' } })

  await officer.call(enableVariant, { params: { groupId, variantId: 1 } })
  const called = (await call(officer, 3, 'call')).body
  expect(called.sign).toEqual({ isShown: true, error: null })
  expect(await shown()).toBe('[jp3][jl3]KONTROLA[nl]WX 10003')
  // The answer was lost.
  expect((await call(officer, 3, 'call')).body).toEqual(called)

  const other = await api.as('Inspections')
  await other.call(endpoints.takeOver, { params: { id: called.id }, body: { version: 1 } })
  await eventually(async () => expect(await shown()).toBe('[jp3][jl3]ZJAZD[nl]NA WAGE'))
})

test('the live list carries the inspection, and streams its changes', async () => {
  const api = await testApi()
  const second = await testApi({}, { name: api.name, clock: api.clock })
  await inspectionScene(api, 2)
  const user = await api.as('Inspections', 'CurrentMeasurements')
  const masked = await second.as('CurrentMeasurements', 'Anonymization')
  const watchers = [
    [api, user],
    [second, masked],
  ] as const
  const markOf = async (client: Client) =>
    (await client.call(current.list)).body.content.find(({ id }) => id === vehicleId(7, 1))?.inspection
  for (const [, client] of watchers)
    await eventually(async () => expect((await client.call(current.list)).body.content).toHaveLength(2))
  const streams = await Promise.all(
    watchers.map(async ([server, { token }]) =>
      readEventStream(await addressOf(server), token, `${API_BASE}${current.stream.path}`),
    ),
  )
  const { id, number } = await open(user, 1)
  const mark = { id, number, state: 'announced' }
  const marks = await Promise.all(
    streams.map(async (events) => (await events.next<{ changed: Vehicle[] }>('vehicles')).changed[0]?.inspection),
  )
  expect(marks).toEqual([mark, { id: null, number: null, state: 'announced' }])
  expect(await markOf(user)).toEqual(mark)
  // Number and link lead to papers with plate, carrier and officer.
  const maskedMark = { id: null, number: null, state: 'announced' }
  expect(await markOf(masked)).toEqual(maskedMark)
  const lookup = { params: { id: vehicleId(7, 1) }, query: { locationId: 7, createdAt: MEASURED_AT } }
  expect((await masked.call(current.detail, lookup)).body.inspection).toEqual(maskedMark)
  await user.call(endpoints.withdraw, { params: { id }, body: { version: 1, reason: 'Pomyłka' } })
  for (const [, client] of watchers)
    await eventually(async () => expect((await markOf(client))?.state).toBe('withdrawn'))
  // The open one, though it is not the latest step.
  const reopened = await open(user, 1)
  await eventually(async () => expect(await markOf(user)).toMatchObject({ id: reopened.id, state: 'announced' }))
})
