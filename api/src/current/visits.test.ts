import { check, list } from '@rogatka/contract/current.ts'
import { login, logout } from '@rogatka/contract/session.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { PASSWORD, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { createVisits } from './visits.ts'

const START = Date.UTC(2026, 9, 20, 8)
const at = (seconds: number) => new Date(START + seconds * 1000)

type Row = { userId: number; locationId: number; from: Date; seen: Date; to: Date | null }
const visitsIn = async ({ db }: TestApi): Promise<Row[]> => [
  ...(await db.query<Row>(sql`
    select user_id as "userId", location_id as "locationId", login_at as "from", last_seen_at as seen, logout_at as "to"
    from activity where event_type = 2 order by id`)),
]
const closeSilent = ({ app }: TestApi) => app.jobs.recurring.find(({ name }) => name === 'close-silent-visits')?.work()
const twoStations = async (api: TestApi) => {
  await api.station()
  await api.station({ ...testStation, id: 8, shortName: 'S8 Other' })
}

test('opening the live list starts one visit per station', async () => {
  const api = await testApi()
  await twoStations(api)
  const user = await api.as('CurrentMeasurements')
  for (const seconds of [0, 1, 2]) {
    api.clock.now = at(seconds)
    await user.call(list, { query: { locations: '7,8,99,999999999999' } })
  }
  expect(await visitsIn(api)).toEqual([
    { userId: user.userId, locationId: 7, from: at(0), seen: at(0), to: null },
    { userId: user.userId, locationId: 8, from: at(0), seen: at(0), to: null },
  ])
})

test('a minute without polls closes the visit at the last one; the next poll starts another', async () => {
  const api = await testApi()
  await twoStations(api)
  const user = await api.as('CurrentMeasurements')
  await user.call(list, { query: { locations: 7 } })
  api.clock.now = at(60)
  await closeSilent(api)
  expect(await visitsIn(api)).toMatchObject([{ to: null }])
  api.clock.now = at(61)
  await closeSilent(api)
  expect(await visitsIn(api)).toMatchObject([{ to: at(0) }])

  await user.call(list, { query: { locations: 7 } })
  expect(await visitsIn(api)).toMatchObject([{ to: at(0) }, { from: at(61), to: null }])
})

test('logout closes the visit, and the next session starts another', async () => {
  const api = await testApi()
  await twoStations(api)
  const user = await api.as('CurrentMeasurements')
  const signedIn = await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })
  const again = api.client(signedIn.body.token)
  await user.call(list, { query: { locations: 7 } })
  api.clock.now = at(5)
  await user.call(logout)
  expect(await visitsIn(api)).toMatchObject([{ to: at(5) }])
  await again.call(list, { query: { locations: 7 } })
  expect(await visitsIn(api)).toMatchObject([{ to: at(5) }, { from: at(5), to: null }])
})

test('two processes share one open visit', async () => {
  const api = await testApi()
  await twoStations(api)
  const other = await testApi({}, api)
  const user = await api.as('CurrentMeasurements')
  await Promise.all([user, other.client(user.token)].map((client) => client.call(list, { query: { locations: 7 } })))
  expect(await visitsIn(api)).toHaveLength(1)
})

test('checks extend an open visit, and are written in intervals', async () => {
  const api = await testApi()
  await twoStations(api)
  const { userId } = await api.as('CurrentMeasurements')
  const visits = createVisits(api.db, api.app.api.http.log)
  const watcher = { userId, session: 'a', ip: '::1' }
  await visits.open(watcher, [7], at(0))
  for (let seconds = 1; seconds <= 90; seconds++) visits.touch(watcher, [7], at(seconds))
  expect(await visitsIn(api)).toMatchObject([{ seen: at(0) }])
  await visits.write(at(90))
  expect(await visitsIn(api)).toMatchObject([{ seen: at(90), to: null }])
})

test('a watched station is written every 45 s, and its visit is never closed as idle', async () => {
  const api = await testApi()
  await twoStations(api)
  const { userId } = await api.as('CurrentMeasurements')
  const visits = createVisits(api.db, api.app.api.http.log)
  const watcher = { userId, session: 'a', ip: '::1' }
  await visits.open(watcher, [7], at(0))
  const written = new Set<number>()
  for (let seconds = 1; seconds <= 180; seconds++) {
    visits.touch(watcher, [7], at(seconds))
    if (seconds % 15 !== 0) continue
    await visits.write(at(seconds))
    api.clock.now = at(seconds + 14)
    await closeSilent(api)
    const [row] = await visitsIn(api)
    expect(row?.to).toBeNull()
    written.add((Number(row?.seen) - START) / 1000)
  }
  expect([...written]).toEqual([0, 45, 90, 135, 180])
  visits.touch(watcher, [7], at(190))
  await visits.start(() => at(191)).stop()
  expect(await visitsIn(api)).toMatchObject([{ seen: at(190) }])
})

test('earlier polls do not reopen a visit that another process closed', async () => {
  const api = await testApi()
  await twoStations(api)
  const { userId } = await api.as('CurrentMeasurements')
  const visits = createVisits(api.db, api.app.api.http.log)
  const watcher = { userId, session: 'a', ip: '::1' }
  await visits.open(watcher, [7], at(0))
  visits.touch(watcher, [7], at(10))
  await api.db.execute(sql`update activity set logout_at = ${at(11)}::timestamptz where event_type = 2`)
  await visits.write(at(45))
  expect(await visitsIn(api)).toMatchObject([{ seen: at(0), to: at(11) }])
  // Further polls start a new visit.
  await visits.open(watcher, [7], at(46))
  expect(await visitsIn(api)).toMatchObject([{ to: at(11) }, { from: at(46), to: null }])
})

test('polls to another process extend the visit', async () => {
  const api = await testApi()
  await twoStations(api)
  const { userId } = await api.as('CurrentMeasurements')
  const [here, there] = [1, 2].map(() => createVisits(api.db, api.app.api.http.log))
  const watcher = { userId, session: 'a', ip: '::1' }
  await here?.open(watcher, [7], at(0))
  there?.touch(watcher, [7], at(40))
  await there?.write(at(45))
  expect(await visitsIn(api)).toMatchObject([{ seen: at(40), to: null }])
  // A check before the first list does not keep the list from starting it.
  there?.touch(watcher, [8], at(50))
  await there?.open(watcher, [8], at(51))
  expect(await visitsIn(api)).toMatchObject([{ locationId: 7 }, { locationId: 8, from: at(51) }])
})

test('a check alone starts no visit', async () => {
  const api = await testApi()
  await twoStations(api)
  await (await api.as('CurrentMeasurements')).call(check, { query: { locations: 7 } })
  expect(await visitsIn(api)).toEqual([])
})
