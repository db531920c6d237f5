import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startProxy } from '../testing/proxy.ts'
import { eventually, type TestApi, testApi } from '../testing/test-api.ts'
import { connect, type Pool } from './database.ts'
import { createSessions, endExpiredSessions } from './sessions.ts'
import { sql } from './statement.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const silent = { warn: () => {} }
const later = (api: TestApi, ms: number) => new Date(api.clock.now.getTime() + ms)

type User = Awaited<ReturnType<TestApi['as']>>

/** Changes the role of a user without a notification. */
const changeRole = (api: TestApi, { userId }: User, permission: string) =>
  api.db.execute(sql`
    update role set permissions = ${[permission]} where id = (select role_id from user_role where user_id = ${userId})`)

/** Sessions of another process with a cache, which needs LISTEN. */
async function cachedSessions(api: TestApi, db: Pool = api.db) {
  const sessions = createSessions(db, silent)
  const listening = sessions.listen()
  onTestFinished(() => listening.stop())
  const probe = await api.as('Stat')
  const permissions = async (user: User, now = api.clock.now) =>
    (await sessions.find(user.token as string, now))?.permissions[0]
  await eventually(async () => {
    const before = await permissions(probe)
    await changeRole(api, probe, before === 'ROLE_4' ? 'ROLE_5' : 'ROLE_4')
    expect(await permissions(probe)).toBe(before)
  })
  return { sessions, permissions }
}

test('a session is cached for five minutes', async () => {
  const api = await testApi()
  const user = await api.as('Stat')
  const { permissions } = await cachedSessions(api)
  expect(await permissions(user)).toBe('ROLE_4')
  await changeRole(api, user, 'ROLE_5')
  expect(await permissions(user, later(api, 5 * MINUTE - 1))).toBe('ROLE_4')
  expect(await permissions(user, later(api, 5 * MINUTE))).toBe('ROLE_5')
})

test('a change evicts the sessions of its user, or of all users', async () => {
  const api = await testApi()
  const [one, other] = [await api.as('Stat'), await api.as('Stat')]
  const { sessions, permissions } = await cachedSessions(api)
  const cached = async () => [await permissions(one), await permissions(other)]
  expect(await cached()).toEqual(['ROLE_4', 'ROLE_4'])
  for (const user of [one, other]) await changeRole(api, user, 'ROLE_5')
  expect(await cached()).toEqual(['ROLE_4', 'ROLE_4'])
  sessions.clearCache(one.userId)
  expect(await cached()).toEqual(['ROLE_5', 'ROLE_4'])
  sessions.clearCache()
  expect(await cached()).toEqual(['ROLE_5', 'ROLE_5'])

  // The same by notifications of another process.
  for (const user of [one, other]) await changeRole(api, user, 'ROLE_3')
  await api.db.query(sql`select pg_notify('session_changed', ${String(one.userId)})`)
  await eventually(async () => expect(await cached()).toEqual(['ROLE_3', 'ROLE_5']))
  await api.db.query(sql`select pg_notify('session_changed', '')`)
  await eventually(async () => expect(await cached()).toEqual(['ROLE_3', 'ROLE_3']))
})

test('a query that overlaps a change is not cached', async () => {
  const api = await testApi()
  const user = await api.as('Stat')
  let afterQuery = async () => {}
  const slow: Pool = {
    ...api.db,
    prepared: async (statement) => {
      const rows = await api.db.prepared(statement)
      await afterQuery()
      return rows as never
    },
  }
  const { sessions, permissions } = await cachedSessions(api, slow)
  sessions.clearCache()
  afterQuery = async () => {
    afterQuery = async () => {}
    await changeRole(api, user, 'ROLE_5')
    sessions.clearCache(user.userId)
  }
  expect(await permissions(user)).toBe('ROLE_4')
  expect(await permissions(user)).toBe('ROLE_5')
})

test('a session is valid for 15 minutes without use and 12 hours in all, each inclusive', async () => {
  const api = await testApi()
  const user = await api.as('Stat')
  // Each time another process, as a use prolongs the session.
  const isValid = async (ms: number) =>
    (await createSessions(api.db, silent).find(user.token as string, later(api, ms))) !== null
  expect([await isValid(15 * MINUTE), await isValid(15 * MINUTE + 1)]).toEqual([true, false])
  await api.db.execute(sql`update session set last_seen_at = ${later(api, 12 * HOUR)}::timestamptz`)
  expect([await isValid(12 * HOUR), await isValid(12 * HOUR + 1)]).toEqual([true, false])
})

test('deletes sessions after 15 minutes without use or 12 hours in all, but not before', async () => {
  const api = await testApi()
  await api.as('Stat')
  const isLeft = async (ms: number) => {
    await endExpiredSessions(api.db, later(api, ms))
    return (await api.db.query(sql`select from session`)).length > 0
  }
  expect(await isLeft(15 * MINUTE)).toBe(true)
  await api.db.execute(sql`update session set last_seen_at = ${later(api, 12 * HOUR)}::timestamptz`)
  expect([await isLeft(12 * HOUR), await isLeft(12 * HOUR + 1)]).toEqual([true, false])
  await api.as('Stat')
  expect(await isLeft(15 * MINUTE + 1)).toBe(false)
})

test('records the use of a session at most once a minute', async () => {
  const api = await testApi()
  const user = await api.as('Stat')
  const { sessions } = await cachedSessions(api)
  const seenAt = async (ms: number) => (await sessions.find(user.token as string, later(api, ms)))?.lastSeenAt
  expect(await seenAt(MINUTE)).toEqual(api.clock.now)
  expect(await seenAt(MINUTE + 1)).toEqual(later(api, MINUTE + 1))
  expect(await seenAt(2 * MINUTE)).toEqual(later(api, MINUTE + 1))
  // Not written yet, it is still known after the cache is cleared.
  sessions.clearCache()
  expect(await seenAt(2 * MINUTE)).toEqual(later(api, MINUTE + 1))
})

test('writes last uses every five seconds, again after an error', async () => {
  const api = await testApi()
  const user = await api.as('Stat')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const warn = vi.fn()
  const sessions = createSessions(api.db, { warn })
  const listening = sessions.listen()
  onTestFinished(() => listening.stop())
  const written = async () => (await api.db.query(sql`select last_seen_at as at from session`))[0]?.at
  await sessions.find(user.token as string, later(api, 2 * MINUTE))
  await api.db.execute(sql`alter table session rename to unavailable`)
  vi.advanceTimersByTime(5_000)
  // vi.waitFor would advance the timers.
  while (warn.mock.calls.length === 0) await sleep(20)
  expect(warn.mock.calls[0]?.[1]).toMatch(/could not be written/)
  await api.db.execute(sql`alter table unavailable rename to session`)
  vi.advanceTimersByTime(4_999)
  await sleep(200)
  expect(await written()).toEqual(api.clock.now)
  vi.advanceTimersByTime(1)
  while (String(await written()) !== String(later(api, 2 * MINUTE))) await sleep(20)
  // Written once, it is not written again.
  await api.db.execute(sql`update session set last_seen_at = ${api.clock.now}::timestamptz`)
  vi.advanceTimersByTime(5_000)
  await sleep(200)
  expect(await written()).toEqual(api.clock.now)
})

test('writes last uses without delaying requests, the latest when it stops', async () => {
  const api = await testApi()
  const user = await api.as('Stat')
  const sessions = createSessions(api.db, api.app.api.http.log)
  const listening = sessions.listen()
  const seenAt = async () => (await api.db.query(sql`select last_seen_at as at from session`))[0]?.at
  const before = await seenAt()
  const later = new Date(api.clock.now.getTime() + 2 * 60_000)
  expect((await sessions.find(user.token as string, later))?.lastSeenAt).toEqual(later)
  expect(await seenAt()).toEqual(before)
  await listening.stop()
  expect(await seenAt()).toEqual(later)
})

test('a session is not cached by a process without LISTEN', async () => {
  const api = await testApi()
  const proxy = await startProxy(api.url)
  const db = connect(proxy.url, 1)
  onTestFinished(() => db.end(1_000))
  const user = await api.as('Stat')
  const sessions = createSessions(db, api.app.api.http.log)
  const permissions = async () => (await sessions.find(user.token as string, api.clock.now))?.permissions
  const changeRole = (permission: string) =>
    api.db.execute(sql`
      update role set permissions = ${[permission]}
      where id = (select role_id from user_role where user_id = ${user.userId})`)
  const isRemembered = async () => {
    const before = await permissions()
    await changeRole(before?.includes('ROLE_4') ? 'ROLE_5' : 'ROLE_4')
    return (await permissions())?.[0] === before?.[0]
  }
  const listening = sessions.listen()
  onTestFinished(() => listening.stop())
  await expect.poll(isRemembered).toBe(true)

  proxy.refuse()
  // The pool keeps its connection; the LISTEN connection cannot reconnect.
  const [pool] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  await api.db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where client_port = any(${proxy.ports()}::int[]) and pid <> ${pool?.pid ?? 0}`)
  await expect.poll(isRemembered).toBe(false)
  await sleep(1_000)
  expect(await isRemembered()).toBe(false)
  expect(await isRemembered()).toBe(false)

  proxy.accept()
  await expect.poll(isRemembered).toBe(true)
})

test('a session is not cached before LISTEN, and an unknown token has none', async () => {
  const api = await testApi()
  const user = await api.as('Stat')
  const sessions = createSessions(api.db, silent)
  const permissions = async () => (await sessions.find(user.token as string, api.clock.now))?.permissions
  expect(await permissions()).toEqual(['ROLE_4'])
  await changeRole(api, user, 'ROLE_5')
  expect(await permissions()).toEqual(['ROLE_5'])
  expect(await sessions.find('x'.repeat(43), api.clock.now)).toBeNull()
})

test('a password must be changed if an administrator requires it, or if its age is unknown', async () => {
  const api = await testApi()
  const user = await api.as('Stat')
  const mustChange = async () =>
    (await createSessions(api.db, silent).find(user.token as string, api.clock.now))?.mustChangePassword
  expect(await mustChange()).toBe(false)
  await api.db.execute(sql`update app_user set must_change_password = true`)
  expect(await mustChange()).toBe(true)
  await api.db.execute(sql`update app_user set must_change_password = false, password_updated_at = null`)
  expect(await mustChange()).toBe(true)
})

test('a session has the hash of its token, also as text', async () => {
  const api = await testApi()
  const user = await api.as('Stat')
  const digest = createHash('sha256').update(user.token as string)
  const found = await createSessions(api.db, silent).find(user.token as string, api.clock.now)
  const { tokenHash, ...values } = { ...found }
  const hash = digest.digest()
  expect(hash.equals(tokenHash as Buffer)).toBe(true)
  expect(values).toEqual({
    key: hash.toString('base64'),
    userId: user.userId,
    username: user.username,
    permissions: ['ROLE_4'],
    roleId: expect.any(Number),
    mustChangePassword: false,
    mustSetUpFactor: false,
    factor: null,
    verifiedAt: api.clock.now,
    createdAt: api.clock.now,
    lastSeenAt: api.clock.now,
  })
})
