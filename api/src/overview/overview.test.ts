import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { overview } from '@rogatka/contract/overview.ts'
import * as tickets from '@rogatka/contract/tickets.ts'
import * as vms from '@rogatka/contract/vms.ts'
import { addPlate, closeHit, reopenHit } from '@rogatka/contract/wanted.ts'
import { openHits } from '@rogatka/contract/wanted-hits.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { lorry, runJob } from '../inspections/testing.ts'

import { type Client, eventually, testApi, testStation } from '../testing/test-api.ts'
import { testSigns } from '../vms/testing.ts'
import { verifyQuarters } from './derive.ts'

/** A Tuesday, 10:00 in Poland. */
const NOW = '2026-10-20T08:00:00Z'

async function scene() {
  const api = await testApi()
  api.clock.now = new Date(NOW)
  const station = await api.station()
  const user = await api.as('CurrentMeasurements')
  // Hits are loaded shortly after the start.
  const watcher = await api.as('BlackList')
  await eventually(async () => expect((await watcher.call(openHits)).status).toBe(200))
  /** The overview after all parts are outdated. */
  const look = async (viewer: Client = user, seconds = 0) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1_000)
    return (await viewer.call(overview)).body
  }
  const lookAt = async (viewer?: Client, seconds?: number) => (await look(viewer, seconds)).stations[0]
  return { api, station, user, look, lookAt }
}

let sequences = 0

/** Sends this many vehicles, spread evenly over the hour from `from`. */
async function pass(station: Client, from: string, count: number, vehicle: (at: string) => WireMeasurement = anyCar) {
  const start = Date.parse(from)
  const vehicles = Array.from({ length: count }, (_, index) =>
    vehicle(new Date(start + Math.floor((index * 3_600_000) / count)).toISOString()),
  )
  expect((await send(station, vehicles)).body.rejected).toEqual([])
}

const anyCar = (createdAt: string) => car(++sequences, { createdAt })
/** 40 t: within its limit. */
const heavy = (createdAt: string) => lorry(++sequences, { createdAt, axles: axlesOf(4_000) })
const overloaded = (createdAt: string) => lorry(++sequences, { createdAt, axles: axlesOf(5_600) })
const axlesOf = (weight: number) =>
  [0, 374, 562, 131, 131].map((gap) => ({ leftWeight: weight, rightWeight: weight, gap }))

test('compares the last 60 full minutes with the same hour of comparable days', async () => {
  const { api, station, lookAt } = await scene()
  // Comparable: a Monday, a Thursday and a Wednesday. Not comparable: a Friday and a Sunday.
  await pass(station, '2026-10-19T07:00:00Z', 40)
  await pass(station, '2026-10-15T07:00:00Z', 60)
  await pass(station, '2026-10-14T07:00:00Z', 50)
  await pass(station, '2026-10-16T07:00:00Z', 5)
  await pass(station, '2026-10-18T07:00:00Z', 6)
  // In the hour are the first and the last; the others are just before and after it.
  const edges = ['2026-10-20T06:59:59.999Z', '2026-10-20T07:00:00Z', '2026-10-20T07:59:59.999Z', NOW]
  await send(station, edges.map(anyCar))
  await runJob(api, 'derive-quarters')

  expect((await lookAt())?.perHour).toEqual({
    vehicles: 2,
    usual: { median: 50, low: 42, high: 58, days: 3 },
    unusual: 'low',
  })
  // The next full minute has the vehicle of the former end, and lacks the first one.
  expect((await lookAt(undefined, 60))?.perHour.vehicles).toBe(2)
})

test('counts the overloaded among the weighed vehicles over 3.5 t', async () => {
  const { api, station, lookAt } = await scene()
  for (const [day, count] of [
    ['2026-10-19', 1],
    ['2026-10-15', 2],
    ['2026-10-14', 3],
  ] as const) {
    await pass(station, `${day}T07:00:00Z`, 20 - count, heavy)
    await pass(station, `${day}T07:00:01Z`, count, overloaded)
  }
  await pass(station, '2026-10-20T07:00:00Z', 15, heavy)
  await pass(station, '2026-10-20T07:00:01Z', 4, overloaded)
  await pass(station, '2026-10-20T07:00:02Z', 9)
  await runJob(api, 'derive-quarters')
  expect((await lookAt())?.overloaded).toEqual({ weighed: 19, percent: null, usual: 10 })

  await pass(station, '2026-10-20T07:30:03Z', 1, overloaded)
  expect((await lookAt(undefined, 11))?.overloaded).toEqual({ weighed: 20, percent: 25, usual: 10 })
})

test('shows a station as silent after its limit, without figures of its past hour', async () => {
  const { api, station, look, lookAt } = await scene()
  await api.station({ ...testStation, id: 8, shortName: 'S8 New' })
  for (const day of ['2026-10-19', '2026-10-15', '2026-10-14']) await pass(station, `${day}T07:00:00Z`, 60)
  await pass(station, '2026-10-20T07:00:00Z', 60)
  await runJob(api, 'derive-quarters')
  const last = '2026-10-20T07:59:00.000Z'
  await eventually(async () => expect((await lookAt(undefined, 2))?.lastMessageAt).toBe(last))

  api.clock.now = new Date('2026-10-20T08:29:00Z')
  // The former session has expired.
  const later = await api.as('CurrentMeasurements')
  expect(await lookAt(later)).toMatchObject({ silentSince: null, silentAfterMinutes: 30, perHour: { vehicles: 31 } })
  const [silent, never] = (await look(later, 2)).stations
  expect(silent).toMatchObject({
    lastMessageAt: last,
    silentSince: last,
    perHour: { vehicles: null, usual: { median: 31 }, unusual: null },
    overloaded: { weighed: null, percent: null },
  })
  expect(never).toMatchObject({ locationId: 8, lastMessageAt: null, silentSince: null, perHour: { usual: null } })

  await api.db.execute(sql`update location set silent_after = 45 where id = 7`)
  expect(await lookAt(later, 10)).toMatchObject({ silentSince: null, silentAfterMinutes: 45 })
})

test('counts the wanted vehicles that the viewer may see until their checkpoint', async () => {
  const { api, station, user, lookAt } = await scene()
  const owner = await api.as('CurrentMeasurements', 'BlackList', 'WhiteList')
  await owner.call(addPlate, { body: { plateLpr: 'WPR 8K47M', typeOfList: 0, description: 'x' } })
  await owner.call(addPlate, { body: { plateLpr: 'WPR 1', typeOfList: 1, description: 'x' } })
  // 5 km at 90 km/h: 200 s until the checkpoint.
  const createdAt = '2026-10-20T07:59:58.000Z'
  await send(station, [car(1, { plateLpr: 'WPR 8K47M', createdAt }), car(2, { plateLpr: 'WPR 1', createdAt })])
  await eventually(async () => expect((await lookAt(owner))?.wanted).toBe(1))
  expect((await lookAt(user))?.wanted).toBe(0)

  const hit = { params: { id: vehicleId(7, 1) }, query: { createdAt } }
  await owner.call(closeHit, { ...hit, body: {} })
  await eventually(async () => expect((await lookAt(owner))?.wanted).toBe(0))
  await owner.call(reopenHit, hit)
  await eventually(async () => expect((await lookAt(owner))?.wanted).toBe(1))
  api.clock.now = new Date('2026-10-20T08:03:17.999Z')
  expect((await lookAt(owner))?.wanted).toBe(1)
  api.clock.now = new Date('2026-10-20T08:03:18Z')
  expect((await lookAt(owner))?.wanted).toBe(0)
})

test('counts open tickets for viewers with the right to them, and summarises the signs', async () => {
  const { api, look, lookAt } = await scene()
  const reporter = await api.as('CurrentMeasurements', 'Tickets')
  for (const locationId of [7, 7, null])
    await reporter.call(tickets.add, { body: { description: 'x', locationId } as never })
  const { body } = await reporter.call(tickets.add, { body: { description: 'x', locationId: 7 } as never })
  await reporter.call(tickets.change, {
    params: { id: body.id },
    body: { title: body.title, description: 'x', status: 'closed', version: body.version },
  })
  expect(await lookAt(reporter)).toMatchObject({ tickets: 2, signs: null })
  expect(await lookAt()).toMatchObject({ tickets: null })

  const { groupId } = await testSigns(api)
  const dark = { state: 'available', working: 2, total: 2, signNumber: null, faults: [], shows: null }
  await eventually(async () => expect((await lookAt(undefined, 6))?.signs).toEqual(dark))
  const operator = await api.as('Vms')
  await operator.call(vms.enableVariant, { params: { groupId, variantId: 1 } })
  const lit = { ...dark, state: 'lit', signNumber: 1, shows: { kind: 'content', text: 'KONTROLA' } }
  await eventually(async () => expect((await lookAt(undefined, 6))?.signs).toEqual(lit))
  expect((await look()).missing).toEqual([])
})

test('responds without a part that hangs, and includes it once it has recovered', async () => {
  const { api, station, user } = await scene()
  await pass(station, '2026-10-20T07:00:00Z', 3)
  const reporter = await api.as('CurrentMeasurements', 'Tickets')
  const held = await api.db.reserve()
  await held.execute(sql`begin`)
  await held.execute(sql`lock table ticket`)

  const { body } = await reporter.call(overview)
  expect(body).toMatchObject({ missing: ['tickets'], stations: [{ perHour: { vehicles: 3 }, tickets: null }] })
  expect((await user.call(overview)).body.missing).toEqual([])
  await held.execute(sql`rollback`)
  held.release()
  api.clock.now = new Date(api.clock.now.getTime() + 5_000)
  await eventually(async () => {
    api.clock.now = new Date(api.clock.now.getTime() + 2_000)
    const { body } = await reporter.call(overview)
    expect(body).toMatchObject({ missing: [], stations: [{ tickets: 0 }] })
  })
})

test('reads the database once for all viewers of the same moment', async () => {
  const { api, user, look } = await scene()
  const reporter = await api.as('CurrentMeasurements', 'Tickets')
  await look()
  await look(reporter)
  const query = vi.spyOn(api.db, 'query')
  onTestFinished(() => query.mockRestore())
  const reads = () => query.mock.calls.map(([{ text }]) => /from (vehicle v|ticket t)/.exec(text)?.[1]).filter(Boolean)
  const lookTogether = () =>
    Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 ? user : reporter).call(overview)))
  api.clock.now = new Date(api.clock.now.getTime() + 60_000)
  await lookTogether()
  await lookTogether()
  expect(reads().sort()).toEqual(['ticket t', 'vehicle v'])
})

test('counts quarters of an hour as a recount does, with late vehicles', async () => {
  const { api, station } = await scene()
  await pass(station, '2026-10-19T07:00:00Z', 8)
  await pass(station, '2026-10-19T22:00:00Z', 3, overloaded)
  // Of the current hour, which is not counted yet, and of a day that is not compared any more.
  await pass(station, '2026-10-20T07:30:00Z', 2)
  await pass(station, '2026-08-10T07:30:00Z', 4)
  const stored = () =>
    api.db.query(sql`
      select to_char(quarter, 'DD HH24:MI') as quarter, vehicles, weighed, overloaded from traffic_quarter
      where quarter < '2026-10-20T07:00Z' order by 1`)
  const derive = async () => {
    await runJob(api, 'derive-quarters')
    expect(await verifyQuarters(api.db, api.clock.now)).toEqual([])
  }
  expect(await verifyQuarters(api.db, api.clock.now)).toEqual([])
  await derive()
  const light = (quarter: string, vehicles: number) => ({ quarter, vehicles, weighed: 0, overloaded: 0 })
  const heavyOnes = [0, 20, 40].map((minute) => ({
    quarter: `19 22:${String(minute - (minute % 15)).padStart(2, '0')}`,
    vehicles: 1,
    weighed: 1,
    overloaded: 1,
  }))
  const quarters = ['19 07:00', '19 07:15', '19 07:30', '19 07:45'].map((quarter) => light(quarter, 2))
  expect(await stored()).toEqual([...quarters, ...heavyOnes])

  await pass(station, '2026-10-19T07:59:59.999Z', 1)
  expect(await verifyQuarters(api.db, api.clock.now)).toEqual([])
  await derive()
  expect(await stored()).toEqual([...quarters.slice(0, 3), light('19 07:45', 3), ...heavyOnes])

  // Any open transaction of the cluster may keep an hour waiting, which is then counted again instead.
  await eventually(async () => {
    await runJob(api, 'derive-quarters')
    await api.db.execute(sql`update traffic_quarter set weighed = 1 where quarter = '2026-10-19T07:15Z'`)
    expect(await verifyQuarters(api.db, api.clock.now)).toMatchObject([
      { locationId: 7, quarter: new Date('2026-10-19T07:15Z'), stored: { weighed: 1 }, recounted: { weighed: 0 } },
    ])
  })

  api.clock.now = new Date('2026-12-20T08:00:00Z')
  await runJob(api, 'derive-quarters')
  expect(await stored()).toEqual([])
})
