import { list as listLocations } from '@rogatka/contract/locations.ts'
import { endOtherSessions, endOwnSession, ownSessions } from '@rogatka/contract/preferences.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { change as changeRole } from '@rogatka/contract/roles.ts'
import { login, logout, ping } from '@rogatka/contract/session.ts'
import {
  confirmAuthenticator,
  loginWithFactor,
  ownFactors,
  removeAuthenticator,
  renewRecoveryCodes,
  startAuthenticator,
  stepUp,
} from '@rogatka/contract/session-factors.ts'
import { bulkDelete, read as readUser, resetFactors } from '@rogatka/contract/users.ts'
import { TOTP, URI } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { createSessions } from '../core/sessions.ts'
import { sql } from '../core/statement.ts'
import { type Client, eventually, PASSWORD, type TestApi, testApi } from '../testing/test-api.ts'
import { rotateFactorSecrets } from './factor-secrets.ts'
import { codeOf, matchingStep, stepAt } from './totp.ts'

/* The codes of these tests are those of another implementation: `otpauth`. */

const SECRET_KEY = Buffer.alloc(32, 0x5a)
const STEP_MS = 30_000

type Account = Client & { username: string; userId: number }

const apiWithKey = (settings: Parameters<typeof testApi>[0] = {}, share?: Parameters<typeof testApi>[1]) =>
  testApi({ secretKey: SECRET_KEY, ...settings }, share)

const codeAt = (app: TOTP, now: Date, steps = 0) => app.generate({ timestamp: now.getTime() + steps * STEP_MS })

/** Sets up an app as a user would: reads the address of the QR code. Its code is that of the time step before. */
async function setUp(api: TestApi, user: Client) {
  const { body } = await user.call(startAuthenticator)
  const app = URI.parse(body.uri) as TOTP
  const answer = await user.call(confirmAuthenticator, {
    body: { code: codeAt(app, api.clock.now, -1), password: PASSWORD },
  })
  expect(answer.status).toBe(204)
  return { app, ...body }
}

async function begin(api: TestApi, { username }: { username: string }) {
  const { body } = await api.anyone.call(login, { body: { username, password: PASSWORD } })
  expect(body.token).toBeUndefined()
  return body.pending?.id as string
}

const complete = (api: TestApi, pending: string, code: string) =>
  api.anyone.call(loginWithFactor, { body: { pending, code } })

async function outcome(api: TestApi, pending: string, code: string) {
  const { status, errors } = await complete(api, pending, code)
  return [status, ...errors.flatMap(({ path, code }) => [path, code])]
}

const signedIn = async (api: TestApi, user: Account, code: string) =>
  api.client((await complete(api, await begin(api, user), code)).body.token)

const actionsOf = async (api: TestApi, { userId }: { userId: number }) =>
  (await api.db.query<{ action: string }>(sql`select action from audit where user_id = ${userId} order by id`)).map(
    ({ action }) => action,
  )

describe('codes by time', () => {
  const secret = Buffer.from('12345678901234567890')

  // RFC 6238, appendix B: the last six of its eight digits, SHA-1.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 at %d s', (seconds, code) => {
    expect(codeOf(secret, stepAt(new Date(seconds * 1_000)))).toBe(code)
  })

  test('equal those of another implementation, and are accepted one step before and after', () => {
    const app = new TOTP({ secret: URI.parse('otpauth://totp/a:b?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ').secret })
    for (let at = 0; at < 1_000; at++) {
      const now = new Date(Date.UTC(2026, 0, 1) + at * 40_009_001)
      const accepted = [-2, -1, 0, 1, 2].map((steps) => matchingStep(secret, codeAt(app, now, steps), now))
      const step = Math.floor(now.getTime() / STEP_MS)
      // A code may by chance be that of another step, too.
      expect(accepted.slice(1, 4)).toEqual([step - 1, step, step + 1])
    }
  })
})

describe('sign-in with a second factor', () => {
  test('needs password and code, and opens a session that ends others of the password alone', async () => {
    const api = await apiWithKey()
    const user = await api.as('Stat')
    const elsewhere = api.client(
      (await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })).body.token,
    )
    const { app, secret, uri } = await setUp(api, user)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(decodeURIComponent(new URL(uri).pathname)).toBe(`//totp/Rogatka 127.0.0.1:${user.username}`.slice(6))
    expect((await elsewhere.call(ping)).status).toBe(401)
    expect((await user.call(ping)).status).toBe(204)

    const { body } = await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })
    expect(body).toEqual({
      pending: {
        id: expect.any(String),
        factors: ['authenticator'],
        passkeyRequired: false,
        linkRequired: false,
        expiresAt: '2026-10-20T08:05:00.000Z',
      },
    })
    // It is no token.
    expect((await api.client(body.pending?.id).call(ping)).status).toBe(401)
    const session = await signedIn(api, user, codeAt(app, api.clock.now))
    expect((await session.call(ownFactors)).body).toEqual({
      required: false,
      passkeyRequired: false,
      providerRequired: false,
      identity: null,
      available: true,
      passkeys: [],
      passkeysAvailable: false,
      authenticator: { createdAt: '2026-10-20T08:00:00.000Z', lastUsedAt: '2026-10-20T08:00:00.000Z' },
      recoveryCodesLeft: 10,
    })
    // A wrong password says the same with and without a second factor.
    const wrong = await api.anyone.call(login, { body: { username: user.username, password: 'wrong' } })
    expect([wrong.status, wrong.errors[0]?.code]).toEqual([401, 'wrong-username-or-password'])
  })

  test('accepts a code once, in any process, one step early or late, and no older one after it', async () => {
    const api = await apiWithKey()
    const other = await apiWithKey({}, api)
    const user = await api.as('Stat')
    const { app } = await setUp(api, user)
    const at = (steps: number) => codeAt(app, api.clock.now, steps)
    // The code of the set-up is used up.
    expect(await outcome(api, await begin(api, user), at(-1))).toEqual([422, 'code', 'factor-code-used'])
    expect(await outcome(api, await begin(api, user), at(-2))).toEqual([422, 'code', 'factor-code-wrong'])
    expect(await outcome(api, await begin(api, user), at(2))).toEqual([422, 'code', 'factor-code-wrong'])
    const pending = [await begin(api, user), await begin(other, user)] as const
    const both = await Promise.all([outcome(api, pending[0], at(0)), outcome(other, pending[1], at(0))])
    expect(both.sort()).toEqual([[200], [422, 'code', 'factor-code-used']])
    expect(await outcome(other, await begin(api, user), at(0))).toEqual([422, 'code', 'factor-code-used'])
    expect((await complete(api, await begin(api, user), ` ${at(1).slice(0, 3)} ${at(1).slice(3)}`)).status).toBe(200)
    // Earlier, but not used before: a clock that was set back.
    expect(await outcome(api, await begin(api, user), at(0))).toEqual([422, 'code', 'factor-code-used'])
  })

  test('locks the account after five wrong codes, which a right password does not forgive', async () => {
    const api = await apiWithKey()
    const user = await api.as('Stat')
    const { app } = await setUp(api, user)
    const right = codeAt(app, api.clock.now)
    const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0')
    for (let left = 4; left >= 0; left--) {
      const { status, errors } = await complete(api, await begin(api, user), wrong)
      expect([status, errors[0]?.userMessage]).toEqual([422, `Kod jest nieprawidłowy. Pozostało prób: ${left}.`])
    }
    const { status, errors } = await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })
    expect([status, errors[0]?.code]).toEqual([429, 'too-many-login-attempts'])
    expect((await actionsOf(api, user)).filter((action) => action === 'factor-refused')).toHaveLength(5)
    api.clock.now = new Date(api.clock.now.getTime() + 15 * 60_000)
    expect((await signedIn(api, user, codeAt(app, api.clock.now))).token).toBeDefined()
  })

  test('is completed once, within five minutes, with the same password, by an enabled account', async () => {
    const api = await apiWithKey()
    const user = await api.as('Stat')
    const { app } = await setUp(api, user)
    const late = await begin(api, user)
    api.clock.now = new Date(api.clock.now.getTime() + 5 * 60_000)
    const code = () => codeAt(app, api.clock.now)
    const ended = [401, null, 'sign-in-expired']
    expect(await outcome(api, late, code())).toEqual(ended)
    expect(await outcome(api, 'unknown', code())).toEqual(ended)
    await api.app.jobs.recurring.find(({ name }) => name === 'remove-dead-sessions')?.work()
    expect(await api.db.query(sql`select from sign_in_pending`)).toHaveLength(0)

    const pending = await begin(api, user)
    expect((await complete(api, pending, code())).status).toBe(200)
    api.clock.now = new Date(api.clock.now.getTime() + STEP_MS)
    expect(await outcome(api, pending, code())).toEqual(ended)
    const before = await begin(api, user)
    await api.db.execute(sql`update app_user set password_hash = 'another' where id = ${user.userId}`)
    expect(await outcome(api, before, code())).toEqual(ended)
  })

  test('with a recovery code works once each, however it is typed', async () => {
    const api = await apiWithKey()
    const other = await apiWithKey({}, api)
    const user = await api.as('Stat')
    const { recoveryCodes } = await setUp(api, user)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    const [first = '', second = ''] = recoveryCodes
    const typed = first.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    const session = await signedIn(api, user, typed)
    expect((await session.call(ownFactors)).body.recoveryCodesLeft).toBe(9)
    expect(await outcome(api, await begin(api, user), first)).toEqual([422, 'code', 'factor-code-wrong'])
    const pending = [await begin(api, user), await begin(other, user)] as const
    const both = await Promise.all([outcome(api, pending[0], second), outcome(other, pending[1], second)])
    expect(both.map(([status]) => status).sort()).toEqual([200, 422])
    // Nobody who reads the database finds one.
    const stored = JSON.stringify(await api.db.query(sql`select code_hash::text from recovery_code`))
    for (const code of recoveryCodes) expect(stored).not.toContain(Buffer.from(code.replace('-', '')).toString('hex'))

    const { body } = await session.call(renewRecoveryCodes, { body: { password: PASSWORD } })
    expect(await outcome(api, await begin(api, user), recoveryCodes[2] as string)).toEqual([
      422,
      'code',
      'factor-code-wrong',
    ])
    expect((await signedIn(api, user, body.recoveryCodes[0] as string)).token).toBeDefined()
    expect(await actionsOf(api, user)).toEqual([
      'factor-added',
      'recovery-code-used',
      'factor-refused',
      'recovery-code-used',
      ...(both.some(([, , code]) => code) ? ['factor-refused'] : []),
      'recovery-codes-renewed',
      'factor-refused',
      'recovery-code-used',
    ])
  })

  test('is refused with a reason if the portal lost its key, and the attempt does not count', async () => {
    const api = await apiWithKey()
    const user = await api.as('Stat')
    const { app, recoveryCodes } = await setUp(api, user)
    for (const secretKey of [null, Buffer.alloc(32, 1)]) {
      const other = await testApi({ secretKey }, api)
      for (const code of [codeAt(app, api.clock.now), recoveryCodes[0] as string])
        for (let i = 0; i < 3; i++)
          expect(await outcome(other, await begin(other, user), code)).toEqual([503, 'code', 'factor-unreadable'])
    }
    expect((await signedIn(api, user, codeAt(app, api.clock.now))).token).toBeDefined()
  })
})

describe('set-up of a second factor', () => {
  test('needs the code of the newest key and the current password, within an hour', async () => {
    const api = await apiWithKey()
    const user = await api.as('Stat')
    const confirm = async (code: string, password = PASSWORD) => {
      const { status, errors } = await user.call(confirmAuthenticator, { body: { code, password } })
      return [status, errors[0]?.path, errors[0]?.code]
    }
    expect(await confirm('123456')).toEqual([422, 'code', 'factor-setup-expired'])
    const first = URI.parse((await user.call(startAuthenticator)).body.uri) as TOTP
    const second = URI.parse((await user.call(startAuthenticator)).body.uri) as TOTP
    expect(await confirm(codeAt(first, api.clock.now))).toEqual([422, 'code', 'factor-code-not-matching'])
    expect(await confirm(codeAt(second, api.clock.now), 'wrong')).toEqual([422, 'password', 'wrong-current-password'])
    expect(
      (await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })).body.token,
    ).toBeDefined()
    api.clock.now = new Date(api.clock.now.getTime() + 3_600_000)
    expect(await confirm(codeAt(second, api.clock.now))).toEqual([401, null, 'unauthorized'])
    const again = api.client(
      (await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })).body.token,
    )
    const { status, errors } = await again.call(confirmAuthenticator, {
      body: { code: codeAt(second, api.clock.now), password: PASSWORD },
    })
    expect([status, errors[0]?.code]).toEqual([422, 'factor-setup-expired'])
    await api.app.jobs.recurring.find(({ name }) => name === 'remove-dead-sessions')?.work()
    expect(await api.db.query(sql`select from authenticator_setup`)).toHaveLength(0)
  })

  test('replaces the app and the recovery codes before it', async () => {
    const api = await apiWithKey()
    const user = await api.as('Stat')
    const earlier = await setUp(api, user)
    const now = await setUp(api, user)
    const refused = [422, 'code', 'factor-code-wrong']
    expect(await outcome(api, await begin(api, user), codeAt(earlier.app, api.clock.now))).toEqual(refused)
    expect(await outcome(api, await begin(api, user), earlier.recoveryCodes[0] as string)).toEqual(refused)
    expect((await signedIn(api, user, codeAt(now.app, api.clock.now))).token).toBeDefined()
  })

  test('is refused without a key of the portal', async () => {
    const api = await testApi()
    const user = await api.as('Stat')
    const { status, errors } = await user.call(startAuthenticator)
    expect([status, errors[0]?.code]).toEqual([422, 'factors-cannot-be-kept'])
    expect((await user.call(ownFactors)).body).toMatchObject({ available: false, authenticator: null })
  })

  test('ends a session that the password alone opened at the same time', async () => {
    const api = await apiWithKey()
    const user = await api.as('Stat')
    const late = await api.as('Stat')
    await setUp(api, user)
    // As a process of the previous version would: its insert knows no factor.
    await api.db.execute(sql`update session set user_id = ${user.userId} where user_id = ${late.userId}`)
    expect(await createSessions(api.db, api.app.api.http.log).find(late.token as string, api.clock.now)).toBeNull()
  })
})

describe('removal of a second factor', () => {
  test('needs the current password, and is refused where one is required', async () => {
    const api = await apiWithKey()
    const user = await api.as('Stat')
    const remove = async (by: Client, password = PASSWORD) => {
      const { status, errors } = await by.call(removeAuthenticator, { body: { password } })
      return [status, errors[0]?.code]
    }
    expect(await remove(user)).toEqual([404, 'factor-not-found'])
    await setUp(api, user)
    expect(await remove(user, 'wrong')).toEqual([422, 'wrong-current-password'])
    const strict = await apiWithKey({ secondFactor: 'all' }, api)
    expect(await remove(strict.client(user.token))).toEqual([422, 'factor-required'])
    expect(await remove(user)).toEqual([204, undefined])
    expect((await user.call(ownFactors)).body).toMatchObject({ authenticator: null, recoveryCodesLeft: 0 })
    expect(
      (await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })).body.token,
    ).toBeDefined()
    expect(await actionsOf(api, user)).toEqual(['factor-added', 'current-password-refused', 'factor-removed'])
  })

  test('ends sign-ins of the account that wait for their second step, and no others', async () => {
    const api = await apiWithKey()
    const user = await api.as('Stat')
    const other = await api.as('Stat')
    const { app } = await setUp(api, other)
    const removed = await setUp(api, user)
    const pending = [await begin(api, user), await begin(api, user)]
    const foreign = await begin(api, other)
    expect((await user.call(removeAuthenticator, { body: { password: PASSWORD } })).status).toBe(204)
    // No wrong codes, which would count towards the lockout.
    for (const one of pending)
      expect(await outcome(api, one, codeAt(removed.app, api.clock.now))).toEqual([401, null, 'sign-in-expired'])
    expect((await complete(api, foreign, codeAt(app, api.clock.now))).status).toBe(200)
  })

  test('by an administrator needs the rights to manage the account, and ends its sessions', async () => {
    const api = await apiWithKey()
    const admin = await api.as('UserManagement', 'Stat')
    const user = await api.as('Stat')
    const mightier = await api.as('Stat', 'Vms', 'UsersAdmin')
    for (const one of [admin, user, mightier]) await setUp(api, one)
    const reset = async (id: number) => {
      const { status, errors } = await admin.call(resetFactors, { params: { id } })
      return [status, errors[0]?.code]
    }
    expect(await reset(mightier.userId)).toEqual([403, 'administrator-needed'])
    expect(await reset(admin.userId)).toEqual([422, 'own-account-in-settings'])
    expect(await reset(999_999)).toEqual([404, 'user-not-found'])
    expect((await admin.call(readUser, { params: { id: user.userId } })).body.hasFactor).toBe(true)
    const pending = await begin(api, user)
    expect(await reset(user.userId)).toEqual([204, undefined])
    expect((await admin.call(readUser, { params: { id: user.userId } })).body.hasFactor).toBe(false)
    expect((await user.call(ping)).status).toBe(401)
    expect(await outcome(api, pending, '123456')).toEqual([401, null, 'sign-in-expired'])
    expect(
      (await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })).body.token,
    ).toBeDefined()
    expect(await actionsOf(api, admin)).toEqual(['factor-added', 'factors-reset'])
  })

  test('happens when the account is deleted', async () => {
    const api = await apiWithKey()
    const admin = await api.as('UserManagement', 'Stat')
    const user = await api.as('Stat')
    await setUp(api, user)
    expect((await admin.call(bulkDelete, { body: [user.userId] })).status).toBe(204)
    for (const table of [sql`authenticator`, sql`recovery_code`])
      expect(await api.db.query(sql`select from ${table} where user_id = ${user.userId}`)).toHaveLength(0)
  })
})

test('own sessions are listed with their factor, and ended one by one, at once in every process', async () => {
  const api = await apiWithKey()
  const other = await apiWithKey({}, api)
  const user = await api.as('Stat')
  const stranger = await api.as('Stat')
  const { app, recoveryCodes } = await setUp(api, user)
  const byApp = await signedIn(api, user, codeAt(app, api.clock.now))
  const byCode = await signedIn(api, user, recoveryCodes[0] as string)
  const elsewhere = other.client(byApp.token)
  expect((await elsewhere.call(ping)).status).toBe(204)
  const idOf = async (client: Client) =>
    (await client.call(ownSessions)).body.find(({ current }) => current)?.id as number
  const factors = async (client: Client) => (await client.call(ownSessions)).body.map(({ factor }) => factor).sort()
  expect(await factors(user)).toEqual(['authenticator', 'authenticator', 'recovery-code'])
  expect(await factors(stranger)).toEqual([null])

  const end = async (by: Client, id: number) => {
    const { status, errors } = await by.call(endOwnSession, { params: { id } })
    return [status, errors[0]?.code]
  }
  const id = await idOf(byApp)
  expect(await end(stranger, id)).toEqual([404, 'session-not-found'])
  // One's own ends by signing out.
  expect(await end(user, await idOf(user))).toEqual([404, 'session-not-found'])
  expect(await end(user, id)).toEqual([204, undefined])
  expect(await end(user, id)).toEqual([404, 'session-not-found'])
  expect((await byApp.call(ping)).status).toBe(401)
  await eventually(async () => expect((await elsewhere.call(ping)).status).toBe(401))
  expect((await byCode.call(ping)).status).toBe(204)
  const [visit] = await api.db.query<{ at: Date }>(sql`select logout_at as at from activity where id = ${id}`)
  expect(visit?.at).toEqual(api.clock.now)
  expect((await actionsOf(api, user)).at(-1)).toBe('session-ended')
})

describe('a required second factor', () => {
  test('opens only its set-up, then everything', async () => {
    const api = await apiWithKey({ secondFactor: 'admins' })
    const admin = await api.as('UsersAdmin', 'Stat')
    expect((await (await api.as('Stat')).call(listLocations)).status).toBe(200)
    const refused = await admin.call(listLocations)
    expect([refused.status, refused.errors[0]?.code]).toEqual([403, 'factor-setup-required'])
    for (const closed of [ownSessions, endOtherSessions])
      expect((await admin.call(closed)).errors[0]?.code).toBe('factor-setup-required')
    expect((await admin.call(readSelf)).body.mustSetUpFactor).toBe(true)
    expect((await admin.call(ping)).status).toBe(204)
    expect((await admin.call(ownFactors)).body).toMatchObject({ required: true, authenticator: null })
    const { app } = await setUp(api, admin)
    expect((await admin.call(readSelf)).body.mustSetUpFactor).toBe(false)
    expect((await admin.call(listLocations)).status).toBe(200)
    const session = await signedIn(api, admin, codeAt(app, api.clock.now))
    expect((await session.call(listLocations)).status).toBe(200)
    expect((await session.call(logout)).status).toBe(204)
  })

  test('of a role applies at once to its users, also with SECOND_FACTOR=off', async () => {
    const api = await apiWithKey()
    const admin = await api.as('Roles', 'Stat')
    const user = await api.as('Stat')
    const role = (await user.call(readSelf)).body.roles[0] as { id: number; name: string }
    const require = (requiresFactor?: boolean) =>
      admin.call(changeRole, {
        params: { id: role.id },
        body: { name: role.name, permissions: ['ROLE_4'], ...(requiresFactor !== undefined && { requiresFactor }) },
      })
    expect((await require(true)).body).toMatchObject({ requiresFactor: true, requiredFactor: 'any' })
    expect((await user.call(listLocations)).errors[0]?.code).toBe('factor-setup-required')
    // Without the field it stays.
    expect((await require()).body.requiresFactor).toBe(true)
    expect((await require(false)).body).toMatchObject({ requiresFactor: false, requiredFactor: 'none' })
    expect((await user.call(listLocations)).status).toBe(200)
    const entries = await api.db.query<{ before: object; after: object }>(
      sql`select before -> 'requiresFactor' as before, after -> 'requiresFactor' as after from audit order by id`,
    )
    expect(entries).toEqual([
      { before: false, after: true },
      { before: null, after: null },
      { before: true, after: false },
    ])
  })

  test('cannot be required by a role if the portal has no key', async () => {
    const api = await testApi()
    const admin = await api.as('Roles', 'Stat')
    const role = (await (await api.as('Stat')).call(readSelf)).body.roles[0] as { id: number; name: string }
    const { status, errors } = await admin.call(changeRole, {
      params: { id: role.id },
      body: { name: role.name, permissions: ['ROLE_4'], requiresFactor: true },
    })
    expect([status, errors[0]?.path, errors[0]?.code]).toEqual([422, 'requiresFactor', 'factors-cannot-be-kept'])
  })
})

describe('step-up', () => {
  const MINUTE_MS = 60_000
  const wait = (api: TestApi, minutes: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + minutes * MINUTE_MS)
  }
  const codeOfRefusal = async (
    result: Promise<{ status: number; errors: { path: string | null; code: string }[] }>,
  ) => {
    const { status, errors } = await result
    return [status, ...errors.flatMap(({ path, code }) => [path, code])]
  }
  /** Deletes no user: the check comes before. */
  const manage = (client: Client) => codeOfRefusal(client.call(bulkDelete, { body: [999_999] }))
  const demanded = [403, null, 'step-up-required']
  const allowed = [404, null, 'user-not-found']

  test('asks for a code ten minutes after the last one, and its answer counts in every process at once', async () => {
    const api = await apiWithKey()
    const other = await apiWithKey({}, api)
    const user = await api.as('UserManagement')
    const { app, recoveryCodes } = await setUp(api, user)
    const elsewhere = other.client(user.token)
    expect([await manage(user), await manage(elsewhere)]).toEqual([allowed, allowed])
    wait(api, 10)
    expect(await manage(user)).toEqual(allowed)
    wait(api, 1)
    expect([await manage(user), await manage(elsewhere)]).toEqual([demanded, demanded])
    // Neither reading nor the code of another person opens it.
    expect((await user.call(readUser, { params: { id: user.userId } })).status).toBe(200)
    const code = codeAt(app, api.clock.now)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const verify = (body: { code?: string; password?: string }, by: Client = user) =>
      codeOfRefusal(by.call(stepUp, { body }))
    expect(await verify({ code: wrong })).toEqual([422, 'code', 'factor-code-wrong'])
    expect(await verify({})).toEqual([422, 'code', 'factor-code-required'])
    // The password alone is no longer enough.
    expect(await verify({ password: PASSWORD })).toEqual([422, 'code', 'factor-code-required'])
    expect(await manage(user)).toEqual(demanded)
    expect(await verify({ code })).toEqual([204])
    expect([await manage(elsewhere), await manage(user)]).toEqual([allowed, allowed])
    expect(await verify({ code }, elsewhere)).toEqual([422, 'code', 'factor-code-used'])
    wait(api, 11)
    expect(await manage(elsewhere)).toEqual(demanded)
    expect(await verify({ code: recoveryCodes[0] as string }, elsewhere)).toEqual([204])
    expect(await manage(user)).toEqual(allowed)
    expect(await actionsOf(api, user)).toEqual([
      'factor-added',
      'factor-refused',
      'stepped-up',
      'factor-refused',
      'recovery-code-used',
      'stepped-up',
    ])
  })

  test('asks for the password of an account without a second factor', async () => {
    const api = await apiWithKey()
    const user = await api.as('UserManagement')
    wait(api, 11)
    expect(await manage(user)).toEqual(demanded)
    const verify = (body: { code?: string; password?: string }) => codeOfRefusal(user.call(stepUp, { body }))
    expect(await verify({ code: '123456' })).toEqual([422, 'password', 'user-password-required'])
    for (let i = 0; i < 4; i++)
      expect(await verify({ password: 'wrong' })).toEqual([422, 'password', 'wrong-current-password'])
    expect(await verify({ password: PASSWORD })).toEqual([204])
    expect(await manage(user)).toEqual(allowed)
    expect((await actionsOf(api, user)).at(-1)).toBe('stepped-up')
    wait(api, 11)
    for (let i = 0; i < 5; i++)
      expect(await verify({ password: 'wrong' })).toEqual([422, 'password', 'wrong-current-password'])
    expect(await verify({ password: PASSWORD })).toEqual([429, null, 'too-many-login-attempts'])
    expect(await manage(user)).toEqual(demanded)
  })

  test('is needed once in a session of an earlier version, and lasts no longer if the clock is set back', async () => {
    const api = await apiWithKey()
    const user = await api.as('UserManagement')
    await api.db.execute(sql`update session set verified_at = null where user_id = ${user.userId}`)
    expect(await manage(user)).toEqual(demanded)
    expect((await user.call(stepUp, { body: { password: PASSWORD } })).status).toBe(204)
    expect(await manage(user)).toEqual(allowed)
    // Ten minutes, whatever the clock was set to.
    wait(api, -9)
    expect(await manage(user)).toEqual(allowed)
    wait(api, -2)
    expect(await manage(user)).toEqual(demanded)
  })

  test('prevents replacing or removing an app with only the session and the password', async () => {
    const api = await apiWithKey()
    const user = await api.as('Stat')
    const { app } = await setUp(api, user)
    wait(api, 11)
    const next = URI.parse((await user.call(startAuthenticator)).body.uri) as TOTP
    const replace = () =>
      codeOfRefusal(
        user.call(confirmAuthenticator, { body: { code: codeAt(next, api.clock.now), password: PASSWORD } }),
      )
    expect(await replace()).toEqual(demanded)
    const password = { body: { password: PASSWORD } }
    expect(await codeOfRefusal(user.call(removeAuthenticator, password))).toEqual(demanded)
    expect(await codeOfRefusal(user.call(renewRecoveryCodes, password))).toEqual(demanded)
    expect((await user.call(stepUp, { body: { code: codeAt(app, api.clock.now) } })).status).toBe(204)
    expect(await replace()).toEqual([204])
  })
})

test('a new key of the portal re-encrypts apps and recovery codes, once', async () => {
  const api = await apiWithKey()
  const user = await api.as('Stat')
  const { app, recoveryCodes } = await setUp(api, user)
  const key = Buffer.alloc(32, 7)
  expect(await rotateFactorSecrets(api.db, SECRET_KEY, key)).toEqual({ renewed: 11, unreadable: 0 })
  expect(await rotateFactorSecrets(api.db, SECRET_KEY, key)).toEqual({ renewed: 0, unreadable: 0 })
  expect(await rotateFactorSecrets(api.db, SECRET_KEY, Buffer.alloc(32, 8))).toEqual({ renewed: 0, unreadable: 11 })
  const other = await testApi({ secretKey: key }, api)
  expect((await signedIn(other, user, codeAt(app, api.clock.now))).token).toBeDefined()
  expect((await signedIn(other, user, recoveryCodes[9] as string)).token).toBeDefined()
})
