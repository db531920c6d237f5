import { list as history } from '@rogatka/contract/activity.ts'
import { check, list } from '@rogatka/contract/current.ts'
import { login, logout } from '@rogatka/contract/session.ts'
import { bulkDelete } from '@rogatka/contract/users.ts'
import { expect, test } from 'vitest'
import { hashToken } from '../core/sessions.ts'
import { raw, sql } from '../core/statement.ts'
import { isOnOneServer } from '../testing/databases.ts'
import { type Client, eventually, PASSWORD, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { createVisits } from './visits.ts'

const START = Date.UTC(2026, 9, 20, 8)
const at = (seconds: number) => new Date(START + seconds * 1000)

type Line = {
  userId: number
  locationId: number | undefined
  ip: string | null
  from: string | null
  to: string | null
}
/** The visits as the activity history shows them, one line for each station, oldest first. */
async function visitsIn(api: TestApi): Promise<Line[]> {
  const manager = await api.withPermissions(['ROLE_20'])
  const range = { dateTimeStart: at(-86_400).toISOString(), dateTimeEnd: at(86_400).toISOString() }
  const query = { ...range, eventTypes: '2', orderDirection: 'asc', limit: 100 } as const
  const { content, totalCount } = (await manager.call(history, { query })).body
  expect(totalCount).toBe(content.length)
  return content.map(({ user, location, ip, loginAt, logoutAt }) => {
    return { userId: user.id, locationId: location?.id, ip, from: loginAt, to: logoutAt }
  })
}
const line = (locationId: number, from: number, to: number | null) =>
  expect.objectContaining({ locationId, from: at(from).toISOString(), to: to === null ? null : at(to).toISOString() })

/** Every ten seconds a process synchronises its visits, and every minute one of them closes those without polls. */
const closeIdle = ({ app }: TestApi) => app.jobs.recurring.find(({ name }) => name === 'close-silent-visits')?.work()

async function stations(api: TestApi, ...ids: number[]): Promise<void> {
  for (const id of ids) await api.station({ ...testStation, id, shortName: `S8 Test ${id}` })
}

/** A user who opens the list at a time, or only checks for changes. */
const operator = (api: TestApi, user: Client) => {
  const poll =
    (endpoint: typeof list | typeof check) =>
    (seconds: number, ...locations: number[]) => {
      api.clock.now = at(seconds)
      return user.call(endpoint, { query: { locations: locations.join() } })
    }
  return { opens: poll(list), checks: poll(check) }
}

const watcherOf = ({ userId, token }: Client & { userId: number }) => ({
  userId,
  session: hashToken(token as string).toString('base64'),
  ip: '127.0.0.1',
})

test('opening the live list starts one visit per station', async () => {
  const api = await testApi()
  await stations(api, 7, 8)
  const user = await api.as('CurrentMeasurements')
  for (const seconds of [0, 1, 2]) {
    api.clock.now = at(seconds)
    await user.call(list, { query: { locations: '7,8,99,999999999999' } })
  }
  expect(await visitsIn(api)).toEqual([
    { userId: user.userId, locationId: 7, ip: '127.0.0.1', from: at(0).toISOString(), to: null },
    { userId: user.userId, locationId: 8, ip: '127.0.0.1', from: at(0).toISOString(), to: null },
  ])
})

test('a minute without polls closes the visit at the last one; the next poll starts another', async () => {
  const api = await testApi()
  await stations(api, 7)
  const { opens } = operator(api, await api.as('CurrentMeasurements'))
  await opens(0, 7)
  api.clock.now = at(60)
  await closeIdle(api)
  expect(await visitsIn(api)).toEqual([line(7, 0, null)])
  api.clock.now = at(61)
  await closeIdle(api)
  expect(await visitsIn(api)).toEqual([line(7, 0, 0)])

  await opens(61, 7)
  expect(await visitsIn(api)).toEqual([line(7, 0, 0), line(7, 61, null)])
})

test('a poll after a minute without polls starts another visit before the first is closed', async () => {
  const api = await testApi()
  await stations(api, 7)
  const { opens } = operator(api, await api.as('CurrentMeasurements'))
  await opens(0, 7)
  await opens(61, 7)
  expect(await visitsIn(api)).toEqual([line(7, 0, 0), line(7, 61, null)])
})

test('a pause of less than a minute does not interrupt the visit', async () => {
  const api = await testApi()
  await stations(api, 7)
  const { opens, checks } = operator(api, await api.as('CurrentMeasurements'))
  await opens(0, 7)
  api.clock.now = at(45)
  await closeIdle(api)
  await checks(59, 7)
  await closeIdle(api)
  api.clock.now = at(110)
  await closeIdle(api)
  expect(await visitsIn(api)).toEqual([line(7, 0, null)])
  api.clock.now = at(120)
  await closeIdle(api)
  expect(await visitsIn(api)).toEqual([line(7, 0, 59)])
})

test('logout closes the visit, and the next session starts another', async () => {
  const api = await testApi()
  await stations(api, 7)
  const user = await api.as('CurrentMeasurements')
  const signedIn = await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })
  const again = api.client(signedIn.body.token)
  await user.call(list, { query: { locations: 7 } })
  api.clock.now = at(5)
  await user.call(logout)
  expect(await visitsIn(api)).toEqual([line(7, 0, 5)])
  await again.call(list, { query: { locations: 7 } })
  expect(await visitsIn(api)).toEqual([line(7, 0, 5), line(7, 5, null)])
})

test('logout leaves the visits of other sessions of the user open', async () => {
  const api = await testApi()
  await stations(api, 7)
  const user = await api.as('CurrentMeasurements')
  const signedIn = await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })
  const other = operator(api, api.client(signedIn.body.token))
  await other.opens(1, 7)
  await operator(api, user).opens(2, 7)
  api.clock.now = at(5)
  await user.call(logout)
  await other.checks(50, 7)
  api.clock.now = at(70)
  await closeIdle(api)
  expect(await visitsIn(api)).toEqual([line(7, 1, null), line(7, 2, 5)])
})

test('a session that is ended by others closes its visit at the last poll', async () => {
  const api = await testApi()
  await stations(api, 7)
  const user = await api.as('CurrentMeasurements')
  const admin = await api.withPermissions(['ROLE_4', 'ROLE_7', 'ROLE_20', ...user.permissions])
  const { opens, checks } = operator(api, user)
  await opens(0, 7)
  await checks(20, 7)
  api.clock.now = at(25)
  await admin.call(bulkDelete, { body: [user.userId] })
  const refused = await checks(26, 7)
  expect(refused.status).toBe(401)
  api.clock.now = at(81)
  await closeIdle(api)
  expect(await visitsIn(api)).toEqual([line(7, 0, 20)])
})

test('stations that are deselected are left at their last poll, and the visit to the others goes on', async () => {
  const api = await testApi()
  await stations(api, 7, 8, 9)
  const { opens, checks } = operator(api, await api.as('CurrentMeasurements'))
  await opens(0, 7, 8)
  await checks(10, 7, 8)
  await opens(11, 7, 9)
  for (const seconds of [40, 70, 71]) {
    await checks(seconds, 7, 9)
    await closeIdle(api)
    const isLeft = seconds > 70
    expect(await visitsIn(api)).toEqual([line(7, 0, null), line(8, 0, isLeft ? 10 : null), line(9, 11, null)])
  }
  await opens(80, 7, 8, 9)
  expect(await visitsIn(api)).toEqual([line(7, 0, null), line(8, 0, 10), line(9, 11, null), line(8, 80, null)])
  api.clock.now = at(200)
  await closeIdle(api)
  expect(await visitsIn(api)).toEqual([line(7, 0, 80), line(8, 0, 10), line(9, 11, 80), line(8, 80, 80)])
})

test('two tabs with different stations are one visit per station', async () => {
  const api = await testApi()
  await stations(api, 7, 8, 9)
  const user = await api.as('CurrentMeasurements')
  const [one, two] = [operator(api, user), operator(api, user)]
  await one.opens(0, 7, 8)
  await two.opens(2, 8, 9)
  for (let seconds = 3; seconds < 100; seconds += 10) {
    await one.checks(seconds, 7, 8)
    await two.checks(seconds + 1, 8, 9)
    await closeIdle(api)
  }
  // The first tab is closed.
  for (let seconds = 103; seconds < 200; seconds += 10) {
    await two.checks(seconds, 8, 9)
    await closeIdle(api)
  }
  expect(await visitsIn(api)).toEqual([line(7, 0, 93), line(8, 0, null), line(9, 2, null)])
})

test('a session that polls from two addresses has a visit from each', async () => {
  const api = await testApi({ trustProxy: true })
  await stations(api, 7)
  const user = await api.as('CurrentMeasurements')
  const addresses = ['198.51.100.1', '198.51.100.2']
  for (const address of [...addresses, ...addresses])
    await user.call(list, { query: { locations: 7 }, headers: { 'x-forwarded-for': address } })
  const lines = await visitsIn(api)
  expect(lines).toEqual([line(7, 0, null), line(7, 0, null)])
  expect(lines.map(({ ip }) => ip)).toEqual(addresses)
})

test('two processes share one open visit', async () => {
  const api = await testApi()
  await stations(api, 7, 8, 9)
  const other = await testApi({}, api)
  const user = await api.as('CurrentMeasurements')
  const clients = [user, other.client(user.token), user, other.client(user.token)]
  const polls = await api.db.transaction(async (db) => {
    await db.execute(sql`lock table live_visit in share mode`)
    const polls = clients.map((client, index) => client.call(list, { query: { locations: index < 2 ? '7,8' : '8,9' } }))
    await eventually(async () => {
      const waiting = await api.db.query(sql`
        select from pg_stat_activity where datname = ${api.name} and wait_event_type = 'Lock'`)
      expect(waiting).toHaveLength(clients.length)
    })
    return polls
  })
  await Promise.all(polls)
  const lines = await visitsIn(api)
  expect(lines.map(({ locationId }) => locationId).toSorted()).toEqual([7, 8, 9])
})

test('polls that move between processes do not interrupt the visit', async () => {
  const api = await testApi()
  await stations(api, 7, 8)
  const other = await testApi({}, api)
  const user = await api.as('CurrentMeasurements')
  const [here, there] = [operator(api, user), operator(api, other.client(user.token))]
  await here.opens(0, 7, 8)
  let seconds = 0
  for (const { checks } of [here, there, here, there]) {
    for (const end = seconds + 150; seconds < end; ) {
      seconds += 10
      await checks(seconds, 7, 8)
      for (const one of [api, other]) await closeIdle(one)
      expect(await visitsIn(api)).toEqual([line(7, 0, null), line(8, 0, null)])
    }
  }
  for (const later of [40, 61]) {
    api.clock.now = at(seconds + later)
    await closeIdle(api)
    await closeIdle(other)
  }
  expect(await visitsIn(api)).toEqual([line(7, 0, seconds), line(8, 0, seconds)])
})

test('a list at another process within a minute continues a visit that is being left', async () => {
  const api = await testApi()
  await stations(api, 7, 8)
  const other = await testApi({}, api)
  const user = await api.as('CurrentMeasurements')
  await operator(api, user).opens(0, 7, 8)
  api.clock.now = at(45)
  await closeIdle(api)
  await operator(api, other.client(user.token)).opens(59, 7)
  api.clock.now = at(61)
  await closeIdle(api)
  expect(await visitsIn(api)).toEqual([line(7, 0, null), line(8, 0, 0)])
})

test('a process that stops hands its visits over, or they end at the last poll', async () => {
  const api = await testApi()
  await stations(api, 7)
  const stopping = await testApi({}, api)
  const [stays, leaves] = [await api.as('CurrentMeasurements'), await api.as('CurrentMeasurements')]
  await operator(api, stopping.client(stays.token)).opens(0, 7)
  await operator(api, stopping.client(leaves.token)).opens(1, 7)
  await operator(api, stopping.client(leaves.token)).checks(20, 7)
  api.clock.now = at(25)
  await stopping.app.close()
  const { checks } = operator(api, stays)
  for (const seconds of [30, 60, 90]) {
    await checks(seconds, 7)
    await closeIdle(api)
  }
  expect(await visitsIn(api)).toEqual([line(7, 0, null), line(7, 1, 20)])
})

/** A process that dies after it has synchronised at these times. */
async function dyingProcess(api: TestApi, user: Client & { userId: number }, ...synchronised: number[]) {
  const visits = createVisits(api.db, api.app.api.http.log)
  await visits.open(watcherOf(user), [7, 8], at(0))
  for (const seconds of synchronised) {
    visits.touch(watcherOf(user), [7, 8], at(seconds))
    await visits.sync(at(seconds))
  }
}

test.each([
  ['the user is not seen later', 15, 15],
  ['the user goes on elsewhere in the portal', 70, 20],
])('a visit whose process died ends at most 60 s early: %s', async (_, sessionSeen, end) => {
  const api = await testApi()
  await stations(api, 7, 8)
  const user = await api.as('CurrentMeasurements')
  await dyingProcess(api, user, 10, 20)
  await api.db.execute(sql`
    update session set last_seen_at = ${at(sessionSeen)}::timestamptz where user_id = ${user.userId}`)
  api.clock.now = at(80)
  await closeIdle(api)
  expect(await visitsIn(api)).toEqual([line(7, 0, null), line(8, 0, null)])
  api.clock.now = at(81)
  await closeIdle(api)
  expect(await visitsIn(api)).toEqual([line(7, 0, end), line(8, 0, end)])
})

test('checks at another process continue the visit of a process that died', async () => {
  const api = await testApi()
  await stations(api, 7, 8)
  const user = await api.as('CurrentMeasurements')
  await dyingProcess(api, user, 10, 20)
  const { checks } = operator(api, user)
  for (let seconds = 22; seconds < 200; seconds += 10) {
    await checks(seconds, 7, 8)
    await closeIdle(api)
  }
  expect(await visitsIn(api)).toEqual([line(7, 0, null), line(8, 0, null)])
})

test('checks do not continue a visit that has ended, the next list starts another', async () => {
  const api = await testApi()
  await stations(api, 7)
  const other = await testApi({}, api)
  const user = await api.as('CurrentMeasurements')
  await operator(api, other.client(user.token)).opens(0, 7)
  api.clock.now = at(40)
  await closeIdle(other)
  api.clock.now = at(61)
  await closeIdle(api)
  const { checks, opens } = operator(api, user)
  await checks(65, 7)
  await closeIdle(api)
  expect(await visitsIn(api)).toEqual([line(7, 0, 0)])
  await opens(66, 7)
  expect(await visitsIn(api)).toEqual([line(7, 0, 0), line(7, 66, null)])
})

test('a visit that a request opened without its response reaching the process ends', async () => {
  const api = await testApi()
  await stations(api, 7, 8)
  const user = await api.as('CurrentMeasurements')
  const visits = createVisits(api.db, api.app.api.http.log)
  await visits.open(watcherOf(user), [7], at(0))
  // The process knows station 7 only.
  await api.db.execute(sql`
    insert into live_visit (user_id, ip, token_hash, location_ids, login_at, process)
    select user_id, ip, token_hash, '{8}', login_at, process from live_visit`)
  for (const seconds of [10, 20, 65]) {
    visits.touch(watcherOf(user), [7], at(seconds))
    await visits.sync(at(seconds))
  }
  await visits.closeIdle(at(66))
  api.clock.now = at(66)
  expect(await visitsIn(api)).toEqual([line(7, 0, null), line(8, 0, 0)])
})

test.each([
  ['forwards', 7_200, [line(7, 0, 20), line(7, 7_200, 7_230)]],
  ['back', -7_200, [line(7, 0, 0)]],
])('a clock that is set %s leaves no visit open and none that ends before its start', async (_, jump, expected) => {
  const api = await testApi()
  await stations(api, 7)
  const user = await api.as('CurrentMeasurements')
  const visits = createVisits(api.db, api.app.api.http.log)
  await visits.open(watcherOf(user), [7], at(0))
  visits.touch(watcherOf(user), [7], at(20))
  await visits.sync(at(20))
  await visits.open(watcherOf(user), [7], at(jump))
  visits.touch(watcherOf(user), [7], at(jump + 30))
  for (const seconds of [30, 61, 95]) await visits.closeIdle(at(jump + seconds))
  // Until the clock passes the time at which it was set back.
  if (jump < 0) for (const seconds of [20, 61]) await visits.closeIdle(at(seconds))
  api.clock.now = at(Math.max(jump + 95, 61))
  expect(await visitsIn(api)).toEqual(expected)
})

test('a check alone starts no visit', async () => {
  const api = await testApi()
  await stations(api, 7)
  await (await api.as('CurrentMeasurements')).call(check, { query: { locations: 7 } })
  await closeIdle(api)
  expect(await visitsIn(api)).toEqual([])
})

test('an ended visit keeps nothing of its session', async () => {
  const api = await testApi()
  await stations(api, 7)
  const [one, two] = [await api.as('CurrentMeasurements'), await api.as('CurrentMeasurements')]
  await dyingProcess(api, await api.as('CurrentMeasurements'))
  for (const user of [one, two]) await operator(api, user).opens(0, 7)
  await one.call(logout)
  api.clock.now = at(61)
  await closeIdle(api)
  expect(await api.db.query(sql`select token_hash from live_visit`)).toEqual(Array(3).fill({ token_hash: null }))
})

test('visits that a process of 0.2.0 left open are closed at their last poll', async () => {
  const api = await testApi()
  await stations(api, 7)
  const user = await api.as('CurrentMeasurements')
  await api.db.execute(sql`
    insert into activity (user_id, event_type, location_id, login_at, last_seen_at, created_at, ip)
    values (${user.userId}, 2, 7, ${at(-90)}::timestamptz, ${at(-1)}::timestamptz, ${at(-90)}::timestamptz, '127.0.0.1')`)
  const { opens, checks } = operator(api, user)
  await opens(0, 7)
  expect(await visitsIn(api)).toEqual([line(7, -90, null), line(7, 0, null)])
  await checks(60, 7)
  await closeIdle(api)
  expect(await visitsIn(api)).toEqual([line(7, -90, -1), line(7, 0, null)])
})

test('a stream whose visit was closed while the database was unavailable opens another', async () => {
  const api = await testApi()
  await stations(api, 7, 8)
  const user = await api.as('CurrentMeasurements')
  const visits = createVisits(api.db, api.app.api.http.log)
  await visits.open(watcherOf(user), [7], at(0))
  await visits.sync(at(10))
  api.clock.now = at(75)
  await closeIdle(api)
  await visits.sync(at(75))
  visits.watch(watcherOf(user), [7, 8], at(76))
  await eventually(async () => {
    expect(await visitsIn(api)).toEqual([line(7, 0, 0), line(7, 76, null), line(8, 76, null)])
  })
})

/** Counts rows that are inserted, updated or deleted from now on, by table. */
async function countWrites({ db }: TestApi): Promise<() => Promise<Record<string, number>>> {
  await db.execute(sql`create table row_write (relation text)`)
  await db.execute(
    raw(`create function record_write() returns trigger language plpgsql as $$
         begin insert into row_write values (tg_table_name); return null; end $$`),
  )
  await db.execute(
    raw(`do $$ declare name text; begin
         for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
             and not relispartition and relname <> 'row_write'
         loop execute format('create trigger record_write after insert or update or delete on %I
                              for each row execute function record_write()', name);
         end loop; end $$`),
  )
  return async () => {
    const rows = await db.query<{ relation: string; count: number }>(sql`
      select relation, count(*)::int as count from row_write group by relation`)
    await db.execute(sql`truncate row_write`)
    return Object.fromEntries(rows.map(({ relation, count }) => [relation, count]))
  }
}

test.runIf(isOnOneServer)('ten minutes of polls over 40 stations write one row for each visit', async () => {
  const api = await testApi()
  const other = await testApi({}, api)
  const ids = Array.from({ length: 40 }, (_, index) => index + 1)
  await stations(api, ...ids)
  const users = [await api.as('CurrentMeasurements'), await api.as('CurrentMeasurements')]
  const writes = await countWrites(api)
  const processes = [api, other]
  for (let seconds = 0; seconds <= 600; seconds++) {
    // A balancer distributes the polls over both processes.
    for (const user of users) {
      const { opens, checks } = operator(api, processes[seconds % 2]?.client(user.token) as Client)
      await (seconds % 5 < 2 ? opens : checks)(seconds, ...ids)
    }
    if (seconds % 10 === 0) for (const one of processes) await closeIdle(one)
  }
  // Each process lists itself as alive every ten seconds, on a slow machine by its own timer, too. When sessions were last
  // seen is written once a minute.
  const { live_process, session = 0, access_visit = 0, ...rest } = await writes()
  expect(rest).toEqual({ live_visit: 2, access_trail_2026_10: 2, log_unsealed: 2, access_trail_key: 1 })
  // By each process every 15 s, and at its opening.
  expect(access_visit).toBeLessThanOrEqual(2 * 2 * 41 + 2)
  expect(live_process).toBeLessThanOrEqual(2 * 61 + 60)
  expect(session).toBeLessThanOrEqual(2 * 2 * 10)
  const open = ids.flatMap((id) => [line(id, 0, null), line(id, 0, null)])
  expect(await visitsIn(api)).toEqual(open)

  await writes()
  for (const later of [40, 61]) {
    api.clock.now = at(600 + later)
    for (const one of processes) await closeIdle(one)
  }
  // Once as being left, once as ended.
  expect((await writes()).live_visit).toBe(2 * 2)

  for (let later = 130; later <= 200; later += 10) {
    api.clock.now = at(600 + later)
    for (const one of processes) await closeIdle(one)
  }
  expect(Object.keys(await writes())).not.toEqual(expect.arrayContaining([expect.stringMatching(/^live_/)]))
})
