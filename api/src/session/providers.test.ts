import { createServer as createTlsServer } from 'node:https'
import { ownSessions, updatePassword, updateSelf } from '@rogatka/contract/preferences.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { change as changeRole, list as listRoles } from '@rogatka/contract/roles.ts'
import { build, login, logout, ping, resetPassword, setPassword } from '@rogatka/contract/session.ts'
import {
  confirmAuthenticator,
  loginWithFactor,
  ownFactors,
  startAuthenticator,
  stepUp,
} from '@rogatka/contract/session-factors.ts'
import { loginWithProvider, startProviderLogin, startProviderStepUp } from '@rogatka/contract/session-providers.ts'
import { bulkDelete, change, list as listUsers, type WireUser } from '@rogatka/contract/users.ts'
import { decodeJwt } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Config } from '../config.ts'
import type { Provider } from '../core/providers.ts'
import { hashToken } from '../core/sessions.ts'
import { sql } from '../core/statement.ts'
import {
  answerOf,
  CLIENT_ID,
  CLIENT_SECRET,
  providerSettings,
  startTestProvider,
  type TestProvider,
} from '../testing/oidc-provider.ts'
import { selfSigned } from '../testing/self-signed.ts'
import { listenUntilFinished, startService } from '../testing/services.ts'
import { type Client, eventually, PASSWORD, type TestApi, testApi } from '../testing/test-api.ts'
import { createProviderClient } from './provider-client.ts'

const PORTAL = 'http://127.0.0.1:8080'
const SECRET_KEY = Buffer.alloc(32, 0x5a)

const providers: Record<string, TestProvider> = {}
const zdw = () => providers.zdw as TestProvider

beforeEach(async () => {
  for (const id of ['zdw', 'policja']) providers[id] ??= await startTestProvider(`${PORTAL}/login/callback/${id}`)
  zdw().forge = undefined
  zdw().signature = 'published'
})

const providerOf = (id: string, settings: Partial<Provider> = {}): Provider =>
  providerSettings(providers[id]?.issuer ?? '', {
    ...{ id, label: id === 'zdw' ? 'Zarząd Dróg' : 'Policja', mfaAcr: ['gold'] },
    ...settings,
  })

const portal = async (settings: Partial<Config> = {}, share?: TestApi) => {
  const all = { providers: [providerOf('zdw'), providerOf('policja')], publicUrl: PORTAL, secretKey: SECRET_KEY }
  const api = await testApi({ ...all, ...settings }, share)
  if (!share) await api.db.execute(sql`insert into role (name, permissions) values ('Waga', '{ROLE_1,ROLE_11}')`)
  return api
}

const account = (name: string, groups: string[], claims = {}) => zdw().accounts.set(name, { groups, claims })

/** Asks the provider and lets somebody sign in there. */
async function answered(api: TestApi, name: string, provider = 'zdw') {
  const { address, transaction } = (await api.anyone.call(startProviderLogin, { params: { provider } })).body
  return { transaction, answer: await answerOf(address, name) }
}

const redeem = (api: TestApi, body: { transaction: string; answer: string }, provider = 'zdw') =>
  api.anyone.call(loginWithProvider, { params: { provider }, body })

const signIn = async (api: TestApi, name: string, provider = 'zdw') =>
  redeem(api, await answered(api, name, provider), provider)

const outcome = async (result: Promise<{ status: number; errors: { code: string }[] }>) => {
  const { status, errors } = await result
  return [status, ...errors.map(({ code }) => code)]
}

const audited = async (api: TestApi) =>
  api.db.query<{ action: string; subject: string; after: Record<string, unknown> | null }>(sql`
    select action, subject, after from audit order by id`)

const find = async (admin: Client, username: string) =>
  (await admin.call(listUsers)).body.content.find((user) => user.username === username) as WireUser

const changeOf = ({ id, username, email, roles, version }: WireUser) => ({
  params: { id },
  body: {
    username,
    firstName: 'Anna',
    lastName: 'Nowak',
    email: email ?? '',
    phoneNumber: '600100200',
    roles: roles.map((role) => role.id),
    version,
  },
})

test('signs in through providers, creates accounts, and renews roles by their groups', async () => {
  const api = await portal({ logLevel: 'debug' })
  const other = await portal({}, api)
  account('anna', ['staff', 'wim'])
  expect((await api.anyone.call(build)).body.providers).toEqual([
    { id: 'zdw', label: 'Zarząd Dróg', linkAtSignIn: true },
    { id: 'policja', label: 'Policja', linkAtSignIn: true },
  ])
  // Asked by one process, redeemed by another.
  const answer = await answered(api, 'anna')
  const first = (await redeem(other, answer)).body
  expect(first).toEqual({ username: 'anna', token: expect.any(String) })
  const anna = api.client(first.token)
  expect((await anna.call(readSelf)).body).toMatchObject({
    username: 'anna',
    firstName: 'Anna',
    lastName: 'Nowak',
    email: 'anna@zdw.example',
    permissions: ['ROLE_1', 'ROLE_11'],
    provider: 'Zarząd Dróg',
    mustChangePassword: false,
    passwordExpired: false,
  })
  expect((await anna.call(ownSessions)).body).toMatchObject([{ provider: 'Zarząd Dróg', factor: null }])
  // Somebody of the same name elsewhere is somebody else.
  providers.policja?.accounts.set('anna', { groups: ['wim'] })
  expect((await signIn(api, 'anna', 'policja')).body.username).toBe('anna-2')

  // Half a year later; nobody has a password that could expire.
  api.clock.now = new Date('2027-05-20T08:00:00Z')
  const second = other.client((await signIn(other, 'anna')).body.token)
  expect((await second.call(readSelf)).body).toMatchObject({ username: 'anna', passwordExpired: false })

  account('anna', ['wim-admins', 'wim'])
  const third = api.client((await signIn(api, 'anna')).body.token)
  expect((await third.call(readSelf)).body.permissions).toContain('ROLE_7')
  // Of another process, which is notified.
  await eventually(async () => expect((await second.call(ping)).status).toBe(401))

  account('anna', ['staff'])
  expect(await outcome(signIn(api, 'anna'))).toEqual([403, 'no-role'])
  expect((await third.call(ping)).status).toBe(401)
  account('jan', ['staff'])
  expect(await outcome(signIn(api, 'jan'))).toEqual([403, 'no-role'])
  // A role that is gone gives none.
  await api.db.execute(sql`update role set name = 'Dyspozytor' where name = 'Waga'`)
  account('anna', ['wim'])
  expect(await outcome(signIn(api, 'anna'))).toEqual([403, 'no-role'])

  const [waga] = await api.db.query<{ id: number }>(sql`select id from role where name = 'Dyspozytor'`)
  expect(await audited(api)).toMatchObject([
    { action: 'user-added-by-provider', subject: 'anna', after: { provider: 'zdw', roles: [{ id: waga?.id }] } },
    { action: 'user-added-by-provider', subject: 'anna-2', after: { provider: 'policja' } },
    { action: 'role-from-provider', subject: 'anna', after: { roles: [{ name: 'Administrator' }], provider: 'zdw' } },
    { action: 'provider-gave-no-role', subject: 'anna' },
    { action: 'provider-gave-no-role', subject: 'anna' },
  ])
  // Neither code nor secret is in the log.
  expect(api.logged.length).toBeGreaterThan(0)
  for (const secret of [new URLSearchParams(answer.answer).get('code'), answer.transaction, CLIENT_SECRET])
    expect(api.logged.join()).not.toContain(secret)
})

test('an account of a provider has no password, and its role is not changed here', async () => {
  const api = await portal()
  const admin = await api.as(
    'UserManagement',
    'UsersAdmin',
    'CurrentMeasurements',
    'PasswordChange',
    'Roles',
    'SelfPersonal',
  )
  await api.db.execute(sql`update role set permissions = '{ROLE_1,ROLE_10,ROLE_11}' where name = 'Waga'`)
  account('ewa', ['wim'])
  const ewa = api.client((await signIn(api, 'ewa')).body.token)
  const user = await find(admin, 'ewa')
  expect(user).toMatchObject({ provider: 'Zarząd Dróg', hasFactor: false, roles: [{ name: 'Waga' }] })
  const { params, body } = changeOf(user)
  const refused = (more: object) => outcome(admin.call(change, { params, body: { ...body, ...more } }))
  // The provider gave no phone, and need not give a mail.
  const { phoneNumber: _, email: __, ...bare } = body
  const changed = await admin.call(change, { params, body: bare })
  expect(changed.body).toMatchObject({ phoneNumber: null, email: null })
  const local = changeOf(await find(admin, admin.username))
  const { status, errors } = await admin.call(change, {
    params: local.params,
    body: { ...local.body, email: null, phoneNumber: null },
  })
  expect([status, ...errors.map(({ path }) => path)]).toEqual([400, 'email', 'phoneNumber'])
  // The same in the form of one's own data, which counts as a change of the account.
  const own = { firstName: 'Ewa', lastName: 'Nowak' }
  expect((await ewa.call(updateSelf, { body: own })).status).toBe(204)
  expect((await ewa.call(readSelf)).body).toMatchObject({ ...own, email: null, phoneNumber: null })
  const wrong = await ewa.call(updateSelf, { body: { ...own, email: 'ewa@', phoneNumber: 'abc' } })
  expect(wrong.errors.map(({ code }) => code)).toEqual(['incorrect-email-address', 'incorrect-phone-number'])
  const unnamed = await admin.call(updateSelf, { body: { ...own, email: null, password: PASSWORD } })
  expect([unnamed.status, ...unnamed.errors.map(({ path }) => path)]).toEqual([400, 'email', 'phoneNumber'])
  const restored = { ...body, version: (changed.body.version ?? 0) + 1 }
  expect((await admin.call(change, { params, body: restored })).status).toBe(200)
  body.version = restored.version + 1
  expect(await refused({ password: 'Nowe-haslo-2026' })).toEqual([422, 'account-of-provider'])
  const roles = (await admin.call(listRoles)).body as { id: number; name: string }[]
  const other = roles.find(({ name }) => name === admin.username)
  expect(await refused({ roles: [other?.id ?? 0] })).toEqual([422, 'role-of-provider'])
  const passwords = { password: PASSWORD, newPassword: 'Nowe-haslo-2026' }
  expect(await outcome(ewa.call(updatePassword, { body: passwords }))).toEqual([422, 'account-of-provider'])
  expect(await outcome(api.anyone.call(login, { body: { username: 'ewa', password: PASSWORD } }))).toEqual([
    401,
    'wrong-username-or-password',
  ])
  await api.anyone.call(resetPassword, { body: { email: 'ewa@zdw.example' } })
  expect(await api.db.query(sql`select id from outbox`)).toEqual([])

  await admin.call(change, { params, body: { ...body, enabled: false } })
  expect((await ewa.call(ping)).status).toBe(401)
  expect(await outcome(signIn(api, 'ewa'))).toEqual([403, 'account-disabled'])
  // A deleted account is a new one at the next sign-in; the old one stays deleted.
  expect((await admin.call(bulkDelete, { body: [user.id] })).status).toBe(204)
  expect((await signIn(api, 'ewa')).body.username).toBe('ewa')
  expect((await find(admin, 'ewa')).id).not.toBe(user.id)
})

test('the last administrator is one with a password', async () => {
  const api = await portal()
  const permissions = (await api.db.query<{ permissions: string[] }>(sql`select permissions from role where id = 8`))[0]
  const local = await api.withPermissions(permissions?.permissions ?? [])
  const second = await api.withPermissions(permissions?.permissions ?? [])
  account('szef', ['wim-admins'])
  const szef = api.client((await signIn(api, 'szef')).body.token)
  expect((await szef.call(bulkDelete, { body: [second.userId] })).status).toBe(204)
  expect(await outcome(szef.call(bulkDelete, { body: [local.userId] }))).toEqual([422, 'last-administrator'])
})

test('a role that requires a sign-in through a provider accepts no password, and no session opened by one before', async () => {
  const api = await portal()
  const other = await portal({}, api)
  const admin = await api.withPermissions(['ROLE_19', 'ROLE_1', 'ROLE_11'])
  const local = await api.as('ArchiveMeasurements')
  account('ida', ['wim'], { amr: ['mfa'] })
  account('ewa', ['wim'])
  const ida = api.client((await signIn(api, 'ida')).body.token)
  const [waga] = await api.db.query<{ id: number }>(sql`select id from role where name = 'Waga'`)
  const params = { id: waga?.id ?? 0 }
  const own = (await local.call(readSelf)).body.roles[0] as { id: number; name: string }
  await api.db.execute(sql`insert into user_role (user_id, role_id, place) values (${local.userId}, ${params.id}, 9)`)
  const require = (requiredFactor: 'any' | 'provider') =>
    admin.call(changeRole, { params, body: { name: 'Waga', permissions: ['ROLE_1', 'ROLE_11'], requiredFactor } })
  expect((await other.client(local.token).call(readSelf)).status).toBe(200)
  expect((await require('provider')).body.requiredFactor).toBe('provider')

  // The second role of the user requires it: with that, the password and its sessions end.
  expect(own.id).not.toBe(params.id)
  expect((await local.call(readSelf)).status).toBe(401)
  await eventually(async () => expect((await other.client(local.token).call(readSelf)).status).toBe(401))
  const byPassword = () => api.anyone.call(login, { body: { username: local.username, password: PASSWORD } })
  // It only begins a link to a provider, which `identity-link.test.ts` completes, or nothing without providers.
  const onlyLink = async (signIn: ReturnType<typeof byPassword>) => {
    const { token, pending } = (await signIn).body
    expect([token, pending?.factors, pending?.linkRequired]).toEqual([undefined, [], true])
  }
  const { config } = api.app.api
  const { providers: configured } = config
  config.providers = []
  for (let times = 0; times < 7; times++)
    expect(await outcome(byPassword())).toEqual([403, 'provider-sign-in-required'])
  config.providers = configured
  await onlyLink(byPassword())
  // A wrong password says no more than before.
  const wrong = api.anyone.call(login, { body: { username: local.username, password: 'x' } })
  expect(await outcome(wrong)).toEqual([401, 'wrong-username-or-password'])

  // A reset gives a new password, which does not let in either.
  await api.db.execute(sql`update app_user set email = 'l@x.pl' where id = ${local.userId}`)
  await api.db.execute(sql`insert into reset_token (token_hash, user_id, email, created_at)
    values (${hashToken('t')}, ${local.userId}, 'l@x.pl', ${api.clock.now}::timestamptz)`)
  const next = 'Wiadukt-nad-torem-7'
  expect((await api.anyone.call(setPassword, { body: { email: 'l@x.pl', password: next, token: 't' } })).status).toBe(
    204,
  )
  const afterReset = api.anyone.call(login, { body: { username: local.username, password: next } })
  await onlyLink(afterReset)

  // The provider lets in; its second factor counts, otherwise that of the portal is set up.
  expect((await ida.call(ownSessions)).status).toBe(200)
  const ewa = api.client((await signIn(api, 'ewa')).body.token)
  expect(await outcome(ewa.call(ownSessions))).toEqual([403, 'factor-setup-required'])
  await require('any')
  expect((await api.anyone.call(login, { body: { username: local.username, password: next } })).status).toBe(200)
})

test('no role of the last administrator requires a provider, nor any without providers', async () => {
  const api = await portal()
  const [role] = await api.db.query<{ permissions: string[] }>(sql`select permissions from role where id = 8`)
  const admin = await api.withPermissions(role?.permissions ?? [])
  const own = (await admin.call(readSelf)).body.roles[0] as { id: number; name: string }
  const require = (portal: TestApi) =>
    portal.client(admin.token).call(changeRole, {
      params: { id: own.id },
      body: { name: own.name, permissions: admin.permissions, requiredFactor: 'provider' },
    })
  expect(await outcome(require(api))).toEqual([422, 'last-administrator'])
  expect(await outcome(require(await portal({ providers: [] }, api)))).toEqual([422, 'providers-missing'])
  const second = await api.withPermissions(role?.permissions ?? [])
  expect(await outcome(require(api))).toEqual([200])
  expect((await second.call(readSelf)).status).toBe(200)
})

describe('second factor', () => {
  test('of the provider counts by amr or acr; without, that of the portal is asked for or set up', async () => {
    const api = await portal({ secondFactor: 'all' })
    account('iza', ['wim'], { amr: ['pwd', 'mfa'] })
    const byAmr = api.client((await signIn(api, 'iza')).body.token)
    expect((await byAmr.call(ownSessions)).body).toMatchObject([{ factor: 'provider', provider: 'Zarząd Dróg' }])
    account('iza', ['wim'], { acr: 'gold' })
    expect((await api.client((await signIn(api, 'iza')).body.token).call(readSelf)).body.mustSetUpFactor).toBe(false)

    account('iza', ['wim'], { acr: 'silver', amr: ['pwd', 'otp'] })
    const iza = api.client((await signIn(api, 'iza')).body.token)
    expect((await iza.call(readSelf)).body.mustSetUpFactor).toBe(true)
    expect(await outcome(iza.call(ownSessions))).toEqual([403, 'factor-setup-required'])
    // Set up without a password, which nobody knows: the provider has just been asked.
    const { secret } = (await iza.call(startAuthenticator)).body
    const app = new TOTP({ secret: Secret.fromBase32(secret) })
    const codeAt = (minutes: number) => app.generate({ timestamp: api.clock.now.getTime() + minutes * 60_000 })
    expect((await iza.call(confirmAuthenticator, { body: { code: codeAt(0) } })).status).toBe(204)
    expect((await byAmr.call(ping)).status).toBe(401)

    api.clock.now = new Date(api.clock.now.getTime() + 60_000)
    const { token, pending, username } = (await signIn(api, 'iza')).body
    expect([username, token, pending?.factors]).toEqual(['iza', undefined, ['authenticator']])
    const completed = await api.anyone.call(loginWithFactor, { body: { pending: pending?.id ?? '', code: codeAt(0) } })
    const session = api.client(completed.body.token)
    expect((await session.call(ownSessions)).body).toMatchObject([
      { factor: 'authenticator', provider: 'Zarząd Dróg' },
      {},
    ])
  })

  test('of the provider counts by its ID token alone, not by UserInfo', async () => {
    const api = await portal({ secondFactor: 'all' })
    zdw().accounts.set('ina', { groups: ['wim'], userinfo: { amr: ['mfa'], acr: 'gold', auth_time: 1 } })
    expect((await api.client((await signIn(api, 'ina')).body.token).call(readSelf)).body).toMatchObject({
      username: 'ina',
      mustSetUpFactor: true,
    })
    expect(zdw().requests).toContain('/me')
  })

  test('step-up asks the provider again, the same user, and their own factor if they have one', async () => {
    const api = await portal()
    account('ola', ['wim-admins'])
    account('ula', ['wim-admins'])
    const ola = api.client((await signIn(api, 'ola')).body.token)
    api.clock.now = new Date(api.clock.now.getTime() + 660_000)
    const sensitive = () => outcome(ola.call(bulkDelete, { body: [999_999] }))
    expect(await sensitive()).toEqual([403, 'step-up-required'])
    expect(await outcome(ola.call(stepUp, { body: { password: PASSWORD } }))).toEqual([422, 'provider-required'])
    const ask = async (name: string) => {
      const { address, transaction, provider } = (await ola.call(startProviderStepUp)).body
      expect([provider, new URL(address).searchParams.get('prompt')]).toEqual(['zdw', 'login'])
      return { transaction, answer: await answerOf(address, name) }
    }
    const confirm = (answer: { transaction: string; answer: string }) =>
      outcome(ola.call(stepUp, { body: { provider: answer } }))
    expect(await confirm(await ask('ula'))).toEqual([422, 'provider-other-user'])
    // An answer to a sign-in is none to a step-up, and the reverse.
    expect(await confirm(await answered(api, 'ola'))).toEqual([403, 'provider-refused'])
    expect(await outcome(redeem(api, await ask('ola')))).toEqual([403, 'provider-refused'])
    // A provider that only repeats an earlier sign-in.
    zdw().forge = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 3_600 })
    expect(await confirm(await ask('ola'))).toEqual([403, 'provider-refused'])
    zdw().forge = undefined
    expect(await sensitive()).toEqual([403, 'step-up-required'])
    const answer = await ask('ola')
    expect(await confirm(answer)).toEqual([204])
    expect(await sensitive()).toEqual([404, 'user-not-found'])
    expect(await confirm(answer)).toEqual([403, 'provider-refused'])
    expect((await audited(api)).map(({ action }) => action)).toContain('stepped-up')
  })
})

describe('a token is refused', () => {
  const later = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
  const forgeries: Record<string, TestProvider['forge']> = {
    'of another issuer': (claims) => ({ ...claims, iss: 'https://other.example' }),
    'for another client': (claims) => ({ ...claims, aud: 'other' }),
    'for several clients, given to another': (claims) => ({ ...claims, aud: [CLIENT_ID, 'other'], azp: 'other' }),
    'with the nonce of another sign-in': (claims) => ({ ...claims, nonce: 'other' }),
    'without nonce': ({ nonce, ...claims }) => claims,
    'that has expired': (claims) => ({ ...claims, exp: later(-60) }),
    'that is not valid yet': (claims) => ({ ...claims, nbf: later(300) }),
    'without subject': ({ sub, ...claims }) => claims,
  }

  test('of or for somebody else, of another sign-in or time', async () => {
    const api = await sharedPortal()
    for (const [title, forge] of Object.entries(forgeries)) {
      zdw().forge = forge
      expect(await outcome(signIn(api, 'anna')), title).toEqual([403, 'provider-refused'])
    }
    zdw().forge = (claims) => ({ ...claims, exp: later(60) })
    expect((await signIn(api, 'anna')).status).toBe(200)
  })

  test('without signature, or of a retired key, while a new key is accepted at once', async () => {
    const api = await sharedPortal()
    zdw().signature = 'none'
    expect(await outcome(signIn(api, 'anna'))).toEqual([403, 'provider-refused'])
    zdw().signature = 'published'
    expect((await signIn(api, 'anna')).status).toBe(200)
    await zdw().rotateKey()
    zdw().signature = 'retired'
    expect(await outcome(signIn(api, 'anna'))).toEqual([403, 'provider-refused'])
    zdw().signature = 'published'
    expect((await signIn(api, 'anna')).status).toBe(200)
  })
})

test('an answer is accepted once, by its browser, provider and time', async () => {
  const api = await sharedPortal()
  const refused = [403, 'provider-refused']
  const first = await answered(api, 'anna')
  const second = await answered(api, 'anna')
  // The answer of one browser with the secret of another: neither works afterwards.
  expect(await outcome(redeem(api, { ...first, transaction: second.transaction }))).toEqual(refused)
  expect(await outcome(redeem(api, second))).toEqual(refused)
  expect((await redeem(api, first)).status).toBe(200)
  expect(await outcome(redeem(api, first))).toEqual(refused)
  // The same code with a new request.
  const { transaction } = (await api.anyone.call(startProviderLogin, { params: { provider: 'zdw' } })).body
  expect(await outcome(redeem(api, { ...first, transaction }))).toEqual(refused)
  // At the callback of another provider.
  expect(await outcome(redeem(api, await answered(api, 'anna'), 'policja'))).toEqual(refused)
  expect(await outcome(redeem(api, { transaction: 'unknown', answer: '' }))).toEqual(refused)
  expect(await outcome(redeem(api, await answered(api, '')))).toEqual([403, 'provider-declined'])
  expect(await outcome(redeem(api, first, 'nobody'))).toEqual([404, 'provider-not-found'])
  const late = await answered(api, 'anna')
  api.clock.now = new Date(api.clock.now.getTime() + 10 * 60_000)
  expect(await outcome(redeem(api, late))).toEqual(refused)
  // Of concurrent attempts with one answer, one succeeds; so does one of two first sign-ins of the same user.
  const answer = await answered(api, 'anna')
  const attempts = await Promise.all([redeem(api, answer), redeem(api, answer)])
  expect(attempts.map(({ status }) => status).sort()).toEqual([200, 403])
  account('nowy', ['wim'])
  const answers = [await answered(api, 'nowy'), await answered(api, 'nowy')]
  const names = await Promise.all(answers.map(async (each) => (await redeem(api, each)).body.username))
  expect(names).toEqual(['nowy', 'nowy'])
})

describe('a provider that fails', () => {
  const asked = (issuer: string, authorities: string[] = [], timeoutMs = 5_000) =>
    createProviderClient(PORTAL, authorities, timeoutMs)
      .addressOf(providerOf('zdw', { issuer }), 'transaction', { forceSignIn: false })
      .then(
        () => 'asked',
        (error: Error) => error.message,
      )

  test('is named in the error, and delays a sign-in no longer than the timeout', async () => {
    const silent = await startService(() => undefined)
    expect(await asked(`http://${silent.address}`, [], 200)).toBe('provider-timeout')
    const slow = await startService((response) => response.writeHead(200).write('{'))
    expect(await asked(`http://${slow.address}`, [], 200)).toBe('provider-timeout')
    expect(await asked('http://127.0.0.1:1')).toBe('provider-not-reachable')
    const broken = await startService((response) => response.writeHead(500).end('out of order'))
    expect(await asked(`http://${broken.address}`)).toBe('provider-answer-unreadable')
    const endless = await startService((response) => response.end('x'.repeat(2 * 1024 ** 2)))
    expect(await asked(`http://${endless.address}`)).toBe('provider-answer-unreadable')
    const moved = await startService((response) => response.writeHead(302, { location: zdw().issuer }).end())
    expect(await asked(`http://${moved.address}`)).toBe('provider-answer-unreadable')
    const { key, cert } = selfSigned()
    const encrypted = createTlsServer({ key, cert }, (_request, response) => {
      const issuer = `https://127.0.0.1:${port}`
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth` }))
    })
    const port = await listenUntilFinished(encrypted)
    expect(await asked(`https://127.0.0.1:${port}`)).toBe('provider-certificate')
    expect(await asked(`https://127.0.0.1:${port}`, [cert])).toBe('asked')
  })

  test('leaves local accounts and other providers usable', async () => {
    const gone = providerOf('zdw', { issuer: 'http://127.0.0.1:1' })
    const api = await portal({ providers: [gone, providerOf('policja')], logLevel: 'warn' })
    const start = api.anyone.call(startProviderLogin, { params: { provider: 'zdw' } })
    const { status, errors } = await start
    expect([status, errors[0]?.code, errors[0]?.userMessage]).toEqual([
      503,
      'provider-not-reachable',
      'Zarząd Dróg: serwer logowania jest nieosiągalny. Zaloguj się hasłem lub spróbuj później.',
    ])
    expect(api.logged.join()).toContain('ECONNREFUSED')
    const user = await api.as('Stat')
    const body = { username: user.username, password: PASSWORD }
    expect((await api.anyone.call(login, { body })).body.token).toBeDefined()
    providers.policja?.accounts.set('anna', { groups: ['wim'] })
    expect((await signIn(api, 'anna', 'policja')).status).toBe(200)
    expect((await user.call(ownFactors)).status).toBe(200)
  })
})

/** A portal with an account of the provider, of the current test. */
async function sharedPortal(): Promise<TestApi> {
  account('anna', ['wim'])
  return portal()
}

test('a sign-out ends the session of the provider, too, and works without it', async () => {
  // A new one: with a key that the tests have changed it would refuse the hint.
  zdw().server.close()
  providers.zdw = await startTestProvider(`${PORTAL}/login/callback/zdw`)
  const api = await portal()
  const other = await portal({}, api)
  const admin = await api.as('UserManagement')
  account('olga', ['wim'])
  const signOut = async (token: string | undefined, at = api) => {
    const client = at.client(token)
    const { status, body } = await client.call(logout)
    expect((await client.call(ping)).status).toBe(401)
    return { status, address: status === 200 ? new URL(body?.providerAddress ?? '') : null }
  }
  // Opened by one process, ended by the other; by the address that the provider names for that.
  const { address } = await signOut((await signIn(api, 'olga')).body.token, other)
  const metadata = await fetch(`${zdw().issuer}/.well-known/openid-configuration`)
  const { end_session_endpoint: endpoint } = (await metadata.json()) as { end_session_endpoint: string }
  expect(`${address?.origin}${address?.pathname}`).toBe(endpoint)
  const { id_token_hint: hint = '', ...rest } = Object.fromEntries(address?.searchParams ?? [])
  expect(rest).toEqual({ client_id: CLIENT_ID, post_logout_redirect_uri: `${PORTAL}/login` })
  expect(decodeJwt(hint)).toMatchObject({ iss: zdw().issuer, aud: CLIENT_ID, sub: 'olga' })
  const page = await fetch(address ?? '')
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form')])

  // After a second factor as well; the token is stored encrypted, and for no other account.
  const token = (await signIn(api, 'olga')).body.token ?? ''
  const [row] = await api.db.query<{ token: Buffer }>(sql`select id_token as token from session where provider = 'zdw'`)
  expect(row?.token.length).toBeGreaterThan(100)
  expect(row?.token.toString('latin1')).not.toMatch(/olga|eyJ/)
  const olga = api.client(token)
  const { secret } = (await olga.call(startAuthenticator)).body
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = () => app.generate({ timestamp: api.clock.now.getTime() })
  expect((await olga.call(confirmAuthenticator, { body: { code: code() } })).status).toBe(204)
  api.clock.now = new Date(api.clock.now.getTime() + 30_000)
  const pending = (await signIn(api, 'olga')).body.pending?.id ?? ''
  const completed = (await api.anyone.call(loginWithFactor, { body: { pending, code: code() } })).body.token
  expect((await signOut(completed)).address?.searchParams.get('id_token_hint')).toMatch(/^eyJ/)
  // With another key there is no hint, and the provider asks who is meant.
  const { config } = api.app.api
  config.secretKey = Buffer.alloc(32, 9)
  const asked = (await signOut(token)).address
  config.secretKey = SECRET_KEY
  expect(asked?.searchParams.get('client_id')).toBe(CLIENT_ID)
  expect(asked?.searchParams.has('id_token_hint')).toBe(false)

  // Not for a session by password, nor where the setting says so, nor without such an address, nor if it is gone.
  expect(await signOut(admin.token)).toEqual({ status: 204, address: null })
  account('ola', ['wim'])
  const away = providerOf('zdw', { issuer: 'http://127.0.0.1:9' })
  const tokens: (string | undefined)[] = []
  for (let time = 0; time < 4; time++) tokens.push((await signIn(api, 'ola')).body.token)
  for (const changed of [[providerOf('zdw', { logout: false })], [], [away]]) {
    config.providers = changed
    expect(await signOut(tokens.pop())).toEqual({ status: 204, address: null })
  }
  config.providers = [providerOf('zdw')]
  zdw().withoutLogout = true
  expect(await signOut(tokens.pop())).toEqual({ status: 204, address: null })
  zdw().withoutLogout = false
})
