import { plates } from '@rogatka/contract/archive.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { eventually, testApi } from '../testing/test-api.ts'
import { trailOf } from '../testing/trail.ts'
import { updateDerived } from './derived/maintenance.ts'
import { stationWithId } from './testing.ts'

test('finds the plates with a beginning that were detected last, each with its newest detection', async () => {
  const api = await testApi()
  const user = await api.as('ArchiveMeasurements')
  await send(await api.station(), [
    car(1, { plateLpr: 'GR 7K201', createdAt: '2026-10-20T05:58:40.000Z' }),
    car(2, { plateLpr: 'GRA4412', nationality: 'LT', createdAt: '2026-10-19T12:00:00.000Z' }),
    car(3, { plateLpr: 'GR11111', createdAt: '2026-10-18T12:00:00.000Z' }),
    car(4, { plateLpr: 'GR22222', createdAt: '2026-10-17T12:00:00.000Z' }),
    car(5, { plateLpr: 'WGR1234', createdAt: '2026-10-20T06:00:00.000Z' }),
    car(6, { plateLpr: null, createdAt: '2026-10-20T06:01:00.000Z' }),
    // More than 90 days ago.
    car(7, { plateLpr: 'GX11111', createdAt: '2026-07-01T12:00:00.000Z' }),
  ])
  await send(await api.station(stationWithId(3)), [
    car(1, { plateLpr: 'GR7K201', createdAt: '2026-10-20T07:58:40.000Z' }),
  ])
  const find = async (beginning: string) =>
    (await user.call(plates, { query: { beginning } })).body.content.map(({ plateLpr, detections, last }) => [
      plateLpr,
      detections,
      last.location.id,
      last.createdAt,
    ])
  const newest = ['GR7K201', 2, 3, '2026-10-20T07:58:40.000Z']
  expect(await find('gr')).toEqual([
    newest,
    ['GRA4412', 1, 7, '2026-10-19T12:00:00.000Z'],
    ['GR11111', 1, 7, '2026-10-18T12:00:00.000Z'],
  ])
  const { body } = await user.call(plates, { query: { beginning: 'gra' } })
  expect(body.content).toMatchObject([{ last: { id: vehicleId(7, 2), nationality: 'LT' } }])
  // The same once they are in the index of plates.
  await updateDerived(api.db)
  expect(await find('gr 7k-2')).toEqual([newest])
  expect(await find('GR2')).toEqual([['GR22222', 1, 7, '2026-10-17T12:00:00.000Z']])
  for (const beginning of ['gx', 'g%', 'g_', '--']) expect(await find(beginning), beginning).toEqual([])
  expect((await user.call(plates, { query: { beginning: 'g' } })).status).toBe(400)
})

test('writes down a beginning once while it grows, and a plate that is typed in full', async () => {
  const api = await testApi()
  await send(await api.station(), [car(1, { plateLpr: 'GR7K201' })])
  const user = await api.as('ArchiveMeasurements', 'UserManagement')
  const find = (beginning: string) => user.call(plates, { query: { beginning } })
  const recorded = async () => (await trailOf(api)).flatMap(({ kind, asked }) => (kind === 'plates' ? asked : []))
  for (const beginning of ['gr', 'gr7', 'gr7k', 'gr7k20', 'gr7']) await find(beginning)
  expect(await recorded()).toEqual(['GR*'])
  for (const beginning of ['gr7k201', 'gr7k2', 'gr7k201', 'wx', 'wx1']) await find(beginning)
  const whole = ['GR*', 'GR7K201*', 'WX*']
  expect(await recorded()).toEqual(whole)
  // Later it is another search.
  api.clock.now = new Date(api.clock.now.getTime() + 120_000)
  await find('wx1')
  expect(await recorded()).toEqual([...whole, 'WX1*'])

  const anonymised = await api.as('ArchiveMeasurements', 'Anonymization')
  expect((await anonymised.call(plates, { query: { beginning: 'gr' } })).status).toBe(403)
})

test('one user has few lookups at a time, and the others of theirs wait or are refused', async () => {
  const api = await testApi()
  await api.station()
  const user = await api.as('ArchiveMeasurements')
  let refused = 0
  const find = async () => {
    const { status, errors } = await user.call(plates, { query: { beginning: 'gr' } })
    if (status !== 200) expect(errors.map(({ code }) => code)).toEqual(['unavailable'])
    if (status !== 200) refused += 1
  }
  await find()
  const { all } = await api.db.transaction(async (db) => {
    await db.execute(sql`lock table plate in access exclusive mode`)
    const all = Promise.all(Array.from({ length: 40 }, find))
    // Half of the connections are for searches, half of these for one user; 16 more wait.
    const slots = Math.max(1, Math.floor(Math.ceil(api.db.max / 2) / 2))
    await eventually(() => expect(refused).toBe(40 - 16 - slots))
    const [waiting] = await db.query<{ count: number }>(sql`
      select count(*)::int as count from pg_stat_activity where datname = ${api.name} and wait_event_type = 'Lock'`)
    expect(waiting?.count).toBeLessThanOrEqual(slots)
    return { all }
  })
  await all
  await find()
  const slots = Math.max(1, Math.floor(Math.ceil(api.db.max / 2) / 2))
  expect(refused).toBe(40 - 16 - slots)
})
