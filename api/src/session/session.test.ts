import { report as activityReport } from '@rogatka/contract/activity.ts'
import { post as postMeasurements } from '@rogatka/contract/ingest.ts'
import { list as listLocations } from '@rogatka/contract/locations.ts'
import { endOtherSessions, ownSessions, readSettings, updatePassword } from '@rogatka/contract/preferences.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { file } from '@rogatka/contract/reports.ts'
import { build, login, logout, ping, resetPassword, setPassword } from '@rogatka/contract/session.ts'
import * as users from '@rogatka/contract/users.ts'
import { describe, expect, test } from 'vitest'
import type { Database } from '../core/database.ts'
import { endExpiredSessions, hashToken } from '../core/sessions.ts'
import { sql } from '../core/statement.ts'
import { VERSION } from '../core/version.ts'
import { eventually, PASSWORD, type TestApi, testApi } from '../testing/test-api.ts'

/** Locks the row of an account, like a running change; returns its release. */
async function holdAccount(api: TestApi, userId: number, change?: (db: Database) => PromiseLike<unknown>) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
  const holding = api.db.transaction(async (db) => {
    await db.query(sql`select 1 from app_user where id = ${userId} for update`)
    await change?.(db)
    lock()
    await released
  })
  await locked
  return () => {
    release()
    return holding
  }
}

/** Waits until this many statements of the database wait for locks. */
const waiting = (api: TestApi, count: number) =>
  eventually(async () => {
    const rows = await api.db.query(sql`
      select 1 from pg_stat_activity where datname = ${api.name} and wait_event_type = 'Lock'`)
    expect(rows.length).toBeGreaterThanOrEqual(count)
  })

const minutesLater = (api: TestApi, minutes: number) => {
  api.clock.now = new Date(api.clock.now.getTime() + minutes * 60_000)
}

describe('login', () => {
  test('returns a token for a case-insensitive username', async () => {
    const api = await testApi()
    const { username } = await api.as('Stat')

    const { status, body } = await api.anyone.call(login, {
      body: { username: username.toUpperCase(), password: PASSWORD },
    })

    expect(status).toBe(200)
    const self = await api.client(body.token).call(readSelf)
    expect(self.body.username).toBe(username)
    expect(self.body.permissions).toEqual(['ROLE_4'])
  })

  test('returns the same error for a wrong password, an unknown user and a disabled one', async () => {
    const api = await testApi()
    const { username } = await api.as('Stat')
    const disabled = await api.as('Stat')
    await api.db.execute(sql`update app_user set enabled = false where id = ${disabled.userId}`)

    const answers = await Promise.all([
      api.anyone.call(login, { body: { username, password: 'wrong' } }),
      api.anyone.call(login, { body: { username: 'nobody', password: PASSWORD } }),
      api.anyone.call(login, { body: { username: disabled.username, password: PASSWORD } }),
    ])

    for (const { status, errors } of answers) {
      expect(status).toBe(401)
      expect(errors).toEqual([
        {
          path: null,
          code: 'wrong-username-or-password',
          userMessage: 'Nieprawidłowa nazwa użytkownika lub hasło.',
        },
      ])
    }
  })

  test('names every missing field in the requested language', async () => {
    const api = await testApi()
    const { status, errors } = await api.anyone.call(login, {
      body: {} as never,
      headers: { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' },
    })
    expect(status).toBe(400)
    expect(errors).toEqual([
      { path: 'username', code: 'user-login-required', userMessage: 'Geben Sie Ihren Benutzernamen ein.' },
      { path: 'password', code: 'user-password-required', userMessage: 'Geben Sie Ihr Passwort ein.' },
    ])
  })

  test('locks a username after five failures until the window ends', async () => {
    const api = await testApi()
    const { username } = await api.as('Stat')
    const attempt = (password: string) => api.anyone.call(login, { body: { username, password } })

    for (let i = 0; i < 5; i++) expect((await attempt('wrong')).status).toBe(401)
    const locked = await attempt(PASSWORD)
    expect(locked.status).toBe(429)
    expect(locked.errors[0]?.code).toBe('too-many-login-attempts')
    expect(Number(locked.headers['retry-after'])).toBe(900)

    minutesLater(api, 16)
    expect((await attempt(PASSWORD)).status).toBe(200)
  })

  test('is locked across processes', async () => {
    const api = await testApi()
    const other = await testApi({}, api)
    const { username } = await api.as('Stat')
    const attempt = ({ anyone }: TestApi, password: string) => anyone.call(login, { body: { username, password } })

    for (const process of [api, other, api, other, api]) expect((await attempt(process, 'wrong')).status).toBe(401)
    for (const process of [api, other]) {
      const locked = await attempt(process, PASSWORD)
      expect([locked.status, locked.errors[0]?.code]).toEqual([429, 'too-many-login-attempts'])
    }
    minutesLater(api, 16)
    expect((await attempt(other, PASSWORD)).status).toBe(200)
  })

  test('checks no more than five concurrent attempts', async () => {
    const api = await testApi()
    const { username } = await api.as('Stat')
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => api.anyone.call(login, { body: { username, password: 'wrong' } })),
    )
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5)
  })

  test('opens no session if the password changes during the check', async () => {
    const api = await testApi()
    const other = await testApi({}, api)
    const user = await api.as('PasswordChange')
    const release = await holdAccount(api, user.userId)
    const change = user.call(updatePassword, { body: { password: PASSWORD, newPassword: 'Nowe-haslo-1' } })
    await waiting(api, 1)
    // The old password still matches: it is verified without a lock.
    const logins = [api, other].map(({ anyone }) =>
      anyone.call(login, { body: { username: user.username, password: PASSWORD } }),
    )
    await waiting(api, 3)
    await release()

    expect((await change).status).toBe(204)
    for (const { status, errors } of await Promise.all(logins))
      expect([status, errors[0]?.code]).toEqual([401, 'wrong-username-or-password'])
    expect(await api.db.query(sql`select user_id from session`)).toHaveLength(1)
    const [counted] = await api.db.query(sql`select count(*)::int as failures from login_failure`)
    expect(counted?.failures).toBe(2)
  })

  test('opens no session if the account is disabled during the check', async () => {
    const api = await testApi()
    const user = await api.as('Stat')
    const release = await holdAccount(api, user.userId, (db) => db.execute(sql`update app_user set enabled = false`))
    const attempt = api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })
    await waiting(api, 1)
    await release()
    expect((await attempt).status).toBe(401)
  })

  test('locks an address after a hundred failures of any usernames', async () => {
    const api = await testApi()
    const { username } = await api.as('Stat')
    const signIn = async () => (await api.anyone.call(login, { body: { username, password: PASSWORD } })).status
    const fail = (count: number) =>
      api.db.execute(sql`
        insert into login_failure (username, ip, failed_at)
        select 'guess' || n, '127.0.0.1', ${api.clock.now}::timestamptz from generate_series(1, ${count}) n`)
    await fail(99)
    expect(await signIn()).toBe(200)
    await fail(1)
    expect(await signIn()).toBe(429)
  })

  test('lets many users sign in at the same time behind one address', async () => {
    const api = await testApi({ addressLoginFailures: 5 })
    const users = await Promise.all(Array.from({ length: 30 }, () => api.as('Stat')))
    const logins = users.map(({ username }) => api.anyone.call(login, { body: { username, password: PASSWORD } }))
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(users.map(() => 200))
  })
})

describe('session', () => {
  test('ends at logout in every process', async () => {
    const api = await testApi()
    const other = await testApi({}, api)
    const user = await api.as('Stat')
    expect((await other.client(user.token).call(ping)).status).toBe(204)

    expect((await user.call(logout)).status).toBe(204)

    expect((await user.call(ping)).status).toBe(401)
    await expect.poll(async () => (await other.client(user.token).call(ping)).status).toBe(401)
    const [line] = await api.db.query(
      sql`select logout_at from activity where user_id = ${user.userId} and event_type = 1`,
    )
    expect(line?.logout_at).toEqual(api.clock.now)
  })

  test('is kept by heartbeats and ends after 15 minutes without one', async () => {
    const api = await testApi()
    const user = await api.as('Stat')
    for (let i = 0; i < 4; i++) {
      minutesLater(api, 14)
      expect((await user.call(ping)).status).toBe(204)
    }
    minutesLater(api, 16)
    expect((await user.call(ping)).status).toBe(401)
  })

  test('ends 12 hours after login despite activity', async () => {
    const api = await testApi()
    const user = await api.as('Stat')
    for (let i = 0; i < 12 * 6; i++) {
      minutesLater(api, 10)
      await user.call(ping)
    }
    minutesLater(api, 1)
    expect((await user.call(ping)).status).toBe(401)
  })

  test('ends when its user is disabled', async () => {
    const api = await testApi()
    const user = await api.as('Stat')
    expect((await user.call(ping)).status).toBe(204)
    await api.db.execute(sql`update app_user set enabled = false where id = ${user.userId}`)
    await api.db.query(sql`select pg_notify('session_changed', '')`)
    await expect.poll(async () => (await user.call(ping)).status).toBe(401)
  })

  test('closes its visit in the history when it expires', async () => {
    const api = await testApi()
    const user = await api.as('Stat')
    const lastSeen = api.clock.now
    minutesLater(api, 20)
    await endExpiredSessions(api.db, api.clock.now)
    const [line] = await api.db.query(sql`select logout_at from activity where user_id = ${user.userId}`)
    expect(line?.logout_at).toEqual(lastSeen)
    expect(await api.db.query(sql`select 1 from session`)).toHaveLength(0)
  })

  test('is refused without a token, with an unknown one and with another scheme', async () => {
    const api = await testApi()
    const answers = await Promise.all([
      api.anyone.call(ping),
      api.client('x'.repeat(43)).call(ping),
      api.anyone.call(ping, { headers: { authorization: 'Basic YTpi' } }),
    ])
    for (const { status, errors, headers } of answers) {
      expect(status).toBe(401)
      expect(errors[0]?.code).toBe('unauthorized')
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('has only the rights of the first role', async () => {
    const api = await testApi()
    const user = await api.as('Stat')
    await api.db.execute(sql`insert into user_role (user_id, role_id, place) values (${user.userId}, 8, 2)`)
    expect((await user.call(readSelf)).body.permissions).toEqual(['ROLE_4'])
  })
})

describe('stolen token', () => {
  const ADMINISTRATOR = ['ROLE_4', 'ROLE_7', 'ROLE_10', 'ROLE_11', 'ROLE_20']
  type Owner = Awaited<ReturnType<TestApi['withPermissions']>>
  type End = (given: { api: TestApi; owner: Owner; admin: Owner }) => Promise<{ status: number }>

  const account = async ({ owner, admin }: { owner: Owner; admin: Owner }) => {
    const { body } = await admin.call(users.read, { params: { id: owner.userId } })
    const person = { firstName: 'Jan', lastName: 'Kowalski', email: 'jan@example.org', phoneNumber: '600100200' }
    return { username: owner.username, ...person, roles: [body.roles[0]?.id as number] }
  }
  const elsewhere = async ({ api, owner }: { api: TestApi; owner: Owner }) => {
    const { body } = await api.anyone.call(login, { body: { username: owner.username, password: PASSWORD } })
    return api.client(body.token)
  }
  const ends: Record<string, End> = {
    'its session signs out': ({ owner }) => owner.call(logout),
    'the user changes the password elsewhere': async (given) =>
      (await elsewhere(given)).call(updatePassword, {
        body: { password: PASSWORD, newPassword: 'Nowe-haslo-1' },
      }),
    'the user signs out everywhere else': async (given) => (await elsewhere(given)).call(endOtherSessions),
    'an administrator sets a password': async (given) =>
      given.admin.call(users.change, {
        params: { id: given.owner.userId },
        body: { ...(await account(given)), password: 'Nowe-haslo-1' },
      }),
    'the user is disabled': async (given) =>
      given.admin.call(users.change, {
        params: { id: given.owner.userId },
        body: { ...(await account(given)), enabled: false },
      }),
    'the user is deleted': ({ admin, owner }) => admin.call(users.bulkDelete, { body: [owner.userId] }),
  }

  test.each(Object.entries(ends))('becomes invalid in every process when %s', async (_, end) => {
    const api = await testApi()
    const other = await testApi({}, api)
    const owner = await api.withPermissions(['ROLE_4', 'ROLE_10', 'ROLE_11'])
    const admin = await api.withPermissions(ADMINISTRATOR)
    const thief = other.client(owner.token)
    expect((await thief.call(ping)).status).toBe(204)

    const { status } = await end({ api, owner, admin })
    expect([200, 204]).toContain(status)

    expect((await owner.call(ping)).status).toBe(401)
    await expect.poll(async () => (await thief.call(ping)).status).toBe(401)
    expect((await admin.call(ping)).status).toBe(204)
  })
})

test('logs no password, token or hash of either', async () => {
  const api = await testApi({ logLevel: 'trace' })
  const user = await api.withPermissions(['ROLE_10', 'ROLE_11', 'ROLE_20'])
  await api.db.execute(sql`update app_user set email = 'jan@example.org' where id = ${user.userId}`)
  const signedIn = await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })
  expect((await api.anyone.call(login, { body: { username: user.username, password: 'Zle-haslo-1' } })).status).toBe(
    401,
  )
  await api.client(signedIn.body.token).call(updatePassword, {
    body: { password: PASSWORD, newPassword: 'Nowe-haslo-1' },
  })
  await api.anyone.call(resetPassword, { body: { email: 'jan@example.org' } })
  await api.runJobs()
  const resetToken = /^[\w-]{43}$/m.exec(api.sent[0]?.text ?? '')?.[0] as string
  await api.anyone.call(setPassword, {
    body: { email: 'jan@example.org', token: resetToken, password: 'Inne-haslo-1' },
  })
  const again = await api.anyone.call(login, { body: { username: user.username, password: 'Inne-haslo-1' } })
  const caller = api.client(again.body.token)
  const range = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }
  const { link } = (await caller.call(activityReport, { query: range })).body
  const linkToken = link.replace('/reports/', '')
  await caller.call(file, { params: { token: linkToken } })
  const stationKey = (await api.station()).token as string
  await api
    .client(stationKey)
    .call(postMeasurements, { payload: '[]', headers: { 'content-type': 'application/json' } })
  // Internal errors are logged in full, but without the request body.
  await api.db.execute(sql`alter table login_failure rename to something_else`)
  const broken = await api.anyone.call(login, { body: { username: user.username, password: 'Przy-awarii-1' } })
  expect(broken.status).toBe(500)

  const signedInTokens = [user.token, signedIn.body.token, again.body.token].map(String)
  const tokens = [...signedInTokens, resetToken, linkToken, stationKey]
  const hashes = (await api.db.query<{ hash: string }>(sql`select password_hash as hash from app_user`)).map(
    ({ hash }) => hash,
  )
  const passwords = [PASSWORD, 'Zle-haslo-1', 'Nowe-haslo-1', 'Inne-haslo-1', 'Przy-awarii-1']
  const log = api.logged.join('')
  expect(log).toContain('answered')
  expect(log).toContain('login_failure')
  for (const token of tokens) {
    expect(token).toHaveLength(43)
    for (const form of ['hex', 'base64', 'base64url'] as const) hashes.push(hashToken(token).toString(form))
  }
  for (const secret of [...tokens, ...hashes, ...passwords, 'argon2']) expect(log).not.toContain(secret)
})

describe('expired password', () => {
  const expire = (api: TestApi, userId: number, at: Date | null) =>
    api.db.execute(sql`update app_user set password_updated_at = ${at}::timestamptz where id = ${userId}`)

  test('allows only heartbeat, reading oneself and the password change', async () => {
    const api = await testApi()
    const user = await api.as('SelfPersonal')
    await expire(api, user.userId, new Date('2026-07-20T07:59:59Z'))

    const refused = await user.call(listLocations)
    expect([refused.status, refused.errors[0]?.code]).toEqual([403, 'password-expired'])
    expect((await user.call(readSettings)).status).toBe(403)
    expect((await user.call(ping)).status).toBe(204)
    expect((await user.call(readSelf)).body.passwordExpired).toBe(true)

    const changed = await user.call(updatePassword, { body: { password: PASSWORD, newPassword: 'Nowe-haslo-1' } })
    expect(changed.status).toBe(204)
    expect((await user.call(listLocations)).status).toBe(200)
  })

  test('includes a password without a recorded change', async () => {
    const api = await testApi()
    const user = await api.as('SelfPersonal')
    await expire(api, user.userId, null)
    expect((await user.call(listLocations)).errors[0]?.code).toBe('password-expired')
  })
})

describe('password change', () => {
  test('ends all other sessions of the user, and the old password', async () => {
    const api = await testApi()
    const user = await api.as('PasswordChange')
    const elsewhere = await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })

    await user.call(updatePassword, { body: { password: PASSWORD, newPassword: 'Nowe-haslo-1' } })

    expect((await user.call(ping)).status).toBe(204)
    expect((await api.client(elsewhere.body.token).call(ping)).status).toBe(401)
    const old = await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })
    expect(old.status).toBe(401)
  })

  test('refuses a wrong current, too short or unchanged password, naming the field', async () => {
    const api = await testApi()
    const user = await api.as('PasswordChange')
    const change = async (password: string, newPassword: string) => {
      const { status, errors } = await user.call(updatePassword, { body: { password, newPassword } })
      return [status, errors[0]?.path, errors[0]?.code]
    }
    expect(await change('wrong', 'Nowe-haslo-1')).toEqual([422, 'password', 'wrong-current-password'])
    expect(await change(PASSWORD, 'short')).toEqual([422, 'newPassword', 'password-too-short'])
    expect(await change(PASSWORD, PASSWORD)).toEqual([422, 'newPassword', 'password-unchanged'])
    expect((await user.call(ping)).status).toBe(204)
  })

  test('requires 12 characters for an administrator', async () => {
    const api = await testApi()
    const user = await api.as('PasswordChange')
    await api.db.execute(sql`update user_role set role_id = 8 where user_id = ${user.userId}`)
    const { errors } = await user.call(updatePassword, { body: { password: PASSWORD, newPassword: 'Elevenchars' } })
    expect(errors[0]?.code).toBe('password-for-admin-cannot-be-shorter-than-12')
  })
})

test('lists own sessions, newest first, with up to 200 characters of the browser', async () => {
  const api = await testApi({ trustProxy: true })
  const user = await api.as('Stat')
  const signIn = async (headers: Record<string, string>) => {
    minutesLater(api, 1)
    const { body } = await api.anyone.call(login, { body: { username: user.username, password: PASSWORD }, headers })
    return api.client(body.token)
  }
  const first = api.clock.now.toISOString()
  await signIn({ 'user-agent': 'x'.repeat(300) })
  const current = await signIn({ 'user-agent': 'Firefox', 'x-forwarded-for': '192.0.2.1' })
  await api.as('Stat')
  const now = api.clock.now.toISOString()
  expect((await current.call(ownSessions)).body).toMatchObject([
    { userAgent: 'Firefox', ip: '192.0.2.1', factor: null, current: true, createdAt: now, lastSeenAt: now },
    { userAgent: 'x'.repeat(200), ip: '127.0.0.1', current: false },
    { userAgent: null, current: false, createdAt: first },
  ])
})

test('logout clears the browser cache', async () => {
  const api = await testApi()
  const { headers } = await (await api.as('Stat')).call(logout)
  expect(headers['clear-site-data']).toBe('"cache"')
})

test('the build has the settings of the sign-in page', async () => {
  const settings = {
    buildCode: 'b1',
    ownerCompany: 'GDDKiA',
    legacyUrl: 'https://old.example.org',
    sourceUrl: 'https://s',
  }
  const retention = (retentionDays: number, imageRetentionDays: number) => ({ retentionDays, imageRetentionDays })
  const api = await testApi({ ...settings, passwordMinLength: 9, partitions: 'week', ...retention(30, 90) })
  expect((await api.anyone.call(build)).body).toEqual({
    ...settings,
    version: VERSION,
    passwordMinLength: 9,
    passkeys: false,
    providers: [],
    imageRetentionDays: 30,
    retentionDays: 30,
    partitions: 'week',
  })
  const other = await testApi(retention(730, 60), api)
  expect((await other.anyone.call(build)).body.imageRetentionDays).toBe(60)
})

test('PASSWORD_MIN_LENGTH is public and applies to a password change', async () => {
  const api = await testApi({ passwordMinLength: 10 })
  expect((await api.anyone.call(build)).body.passwordMinLength).toBe(10)
  const user = await api.as('PasswordChange')
  const change = (newPassword: string) => user.call(updatePassword, { body: { password: PASSWORD, newPassword } })
  expect((await change('dziewiec1')).errors).toEqual([
    { path: 'newPassword', code: 'password-too-short', userMessage: 'Hasło musi mieć co najmniej 10 znaków.' },
  ])
  expect((await change('dziesiec-1')).status).toBe(204)
})
