import type { RequiredFactor } from '@rogatka/contract/options.ts'
import { ownSessions } from '@rogatka/contract/preferences.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { add as addRole, change as changeRole } from '@rogatka/contract/roles.ts'
import { build, login, ping } from '@rogatka/contract/session.ts'
import {
  confirmAuthenticator,
  loginWithFactor,
  ownFactors,
  renewRecoveryCodes,
  startAuthenticator,
  stepUp,
} from '@rogatka/contract/session-factors.ts'
import {
  addPasskey,
  loginWithPasskey,
  removePasskey,
  renamePasskey,
  startPasskey,
  startPasskeyLogin,
  startPasskeyStepUp,
} from '@rogatka/contract/session-passkeys.ts'
import {
  linkAtSignIn,
  loginWithProvider,
  startProviderLogin,
  startProviderStepUp,
  startSignInLink,
} from '@rogatka/contract/session-providers.ts'
import { bulkDelete, read as readUser, resetFactors } from '@rogatka/contract/users.ts'
import { Secret, TOTP } from 'otpauth'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { answerOf, CLIENT_ID, CLIENT_SECRET, startTestProvider } from '../testing/oidc-provider.ts'
import { createPasskeyDevice, type Lie } from '../testing/passkey-device.ts'
import { type Client, PASSWORD, type TestApi, testApi } from '../testing/test-api.ts'

const SECRET_KEY = Buffer.alloc(32, 0x5a)
const ORIGIN = 'https://wim.example.org'
const MINUTE_MS = 60_000

type Device = ReturnType<typeof createPasskeyDevice>
type ErrorResponse = { status: number; errors: { path: string | null; code: string }[] }

const portal = (settings: Parameters<typeof testApi>[0] = {}, share?: Parameters<typeof testApi>[1]) =>
  testApi({ secretKey: SECRET_KEY, publicUrl: ORIGIN, ...settings }, share)

const wait = (api: TestApi, minutes: number) => {
  api.clock.now = new Date(api.clock.now.getTime() + minutes * MINUTE_MS)
}

const outcome = async (result: Promise<ErrorResponse>) => {
  const { status, errors } = await result
  return [status, ...errors.map(({ code }) => code)]
}

const password = { body: { password: PASSWORD } }

async function addTo(user: Client, device: Device, name = 'Klucz') {
  const options = (await user.call(startPasskey, password)).body
  return user.call(addPasskey, { body: { name, credential: device.create(options) } })
}

const signIn = async (api: TestApi, device: Device, lie?: Lie) => {
  const { body: options } = await api.anyone.call(startPasskeyLogin)
  return api.anyone.call(loginWithPasskey, { body: { credential: device.sign(options, lie) } })
}

const actionsOf = async (api: TestApi) =>
  (await api.db.query<{ action: string }>(sql`select action from audit order by id`)).map(({ action }) => action)

test('a passkey signs in without username and password, in any process, and is both factors', async () => {
  const api = await portal({ secondFactor: 'all' })
  const other = await portal({ secondFactor: 'all' }, api)
  const user = await api.as('Stat')
  const elsewhere = api.client(
    (await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })).body.token,
  )
  expect(await outcome(user.call(ownSessions))).toEqual([403, 'factor-setup-required'])
  const options = (await user.call(startPasskey, password)).body
  expect(options).toMatchObject({
    rp: { id: 'wim.example.org' },
    user: { name: user.username },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    excludeCredentials: [],
  })
  const device = createPasskeyDevice(ORIGIN, 1)
  const { body } = await user.call(addPasskey, {
    body: { name: ' Klucz  w sejfie ', credential: device.create(options) },
  })
  expect(body.recoveryCodes).toHaveLength(10)
  // Opened with the password alone.
  expect((await elsewhere.call(ping)).status).toBe(401)
  expect((await user.call(ownSessions)).body.map(({ factor }) => factor)).toEqual(['passkey'])
  wait(api, 1)
  const session = other.client((await signIn(other, device)).body.token)
  expect((await session.call(ownFactors)).body).toEqual({
    required: true,
    passkeyRequired: false,
    providerRequired: false,
    identity: null,
    available: true,
    authenticator: null,
    passkeysAvailable: true,
    passkeys: [
      {
        id: 1,
        name: 'Klucz  w sejfie',
        kind: 'device',
        createdAt: '2026-10-20T08:00:00.000Z',
        lastUsedAt: '2026-10-20T08:01:00.000Z',
        lockedAt: null,
      },
    ],
    recoveryCodesLeft: 10,
  })
  // The password alone is not enough any more; a recovery code replaces the key.
  const { pending, token } = (await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } }))
    .body
  expect([token, pending?.factors]).toEqual([undefined, ['passkey']])
  const code = { pending: pending?.id ?? '', code: body.recoveryCodes?.[0] ?? '' }
  expect((await api.anyone.call(loginWithFactor, { body: code })).status).toBe(200)
  expect(await actionsOf(api)).toEqual(['passkey-added', 'recovery-code-used'])
})

test('an answer to another challenge, site, purpose or user, without verification, late, forged or replayed is refused', async () => {
  const api = await portal()
  const user = await api.as('Stat')
  const device = createPasskeyDevice(ORIGIN, 1)
  await addTo(user, device)
  const refused = [401, 'passkey-refused']
  const lies: Lie[] = [
    { origin: 'https://wim.example.org.evil.example' },
    { origin: 'http://wim.example.org' },
    { rpId: 'evil.example' },
    { challenge: Buffer.alloc(32).toString('base64url') },
    { type: 'webauthn.create' },
    { flags: 0x01 },
    { flags: 0x04 },
    { userHandle: Buffer.from('999').toString('base64url') },
    { isForged: true },
  ]
  for (const lie of lies) expect([lie, await outcome(signIn(api, device, lie))]).toEqual([lie, refused])
  expect(await outcome(signIn(api, createPasskeyDevice(ORIGIN)))).toEqual(refused)

  const { body: options } = await api.anyone.call(startPasskeyLogin)
  const credential = device.sign(options)
  const use = () => outcome(api.anyone.call(loginWithPasskey, { body: { credential } }))
  const both = await Promise.all([use(), use()])
  expect(both.map(([status]) => status).sort()).toEqual([200, 401])
  // One that failed is used up, too.
  const { body: second } = await api.anyone.call(startPasskeyLogin)
  await outcome(api.anyone.call(loginWithPasskey, { body: { credential: device.sign(second, { isForged: true }) } }))
  expect(await outcome(api.anyone.call(loginWithPasskey, { body: { credential: device.sign(second) } }))).toEqual(
    refused,
  )
  const { body: late } = await api.anyone.call(startPasskeyLogin)
  wait(api, 5)
  expect(await outcome(api.anyone.call(loginWithPasskey, { body: { credential: device.sign(late) } }))).toEqual(refused)
  await api.app.jobs.recurring.find(({ name }) => name === 'remove-dead-sessions')?.work()
  expect(await api.db.query(sql`select from passkey_challenge`)).toHaveLength(0)
  await api.db.execute(sql`update app_user set enabled = false where id = ${user.userId}`)
  expect(await outcome(signIn(api, device))).toEqual(refused)
  await api.db.execute(sql`update app_user set enabled = true where id = ${user.userId}`)
  expect((await signIn(api, device)).status).toBe(200)
})

test('a copied key is locked when its counter does not grow, and says so; one that counts nothing is not', async () => {
  const api = await portal()
  const user = await api.as('Stat')
  const device = createPasskeyDevice(ORIGIN, 5)
  const { body } = await addTo(user, device, 'Klucz A')
  const copy = device.copy()
  expect((await signIn(api, device)).status).toBe(200)
  expect(await outcome(signIn(api, copy))).toEqual([403, 'passkey-locked'])
  // Nobody knows which of the two is the copy.
  expect(await outcome(signIn(api, device))).toEqual([403, 'passkey-locked'])
  expect((await actionsOf(api)).filter((action) => action === 'passkey-locked')).toHaveLength(1)
  expect((await user.call(ownFactors)).body.passkeys[0]?.lockedAt).toBe('2026-10-20T08:00:00.000Z')
  expect(await outcome(user.call(startPasskeyStepUp))).toEqual([404, 'passkey-not-found'])
  // It is a second factor still: the password alone opens nothing.
  const { pending } = (await api.anyone.call(login, { body: { username: user.username, password: PASSWORD } })).body
  const code = { pending: pending?.id ?? '', code: body.recoveryCodes?.[0] ?? '' }
  expect((await api.anyone.call(loginWithFactor, { body: code })).status).toBe(200)

  const uncounted = createPasskeyDevice(ORIGIN)
  expect((await addTo(user, uncounted, 'Klucz B')).body.recoveryCodes).toBeNull()
  const twin = uncounted.copy()
  for (const key of [uncounted, twin, uncounted]) expect((await signIn(api, key)).status).toBe(200)
})

test('a new passkey needs the password, its own session and challenge, and is added once', async () => {
  const api = await portal()
  const user = await api.as('Stat')
  const stranger = await api.as('Stat')
  expect(await outcome(user.call(startPasskey, { body: { password: 'wrong' } }))).toEqual([
    422,
    'wrong-current-password',
  ])
  const refused = [422, 'passkey-not-added']
  const add = (by: Client, credential: ReturnType<Device['create']>) =>
    outcome(by.call(addPasskey, { body: { name: 'Klucz', credential } }))
  const options = async () => (await user.call(startPasskey, password)).body
  for (const lie of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { flags: 0x41 }])
    expect(await add(user, createPasskeyDevice(ORIGIN).create(await options(), lie))).toEqual(refused)
  expect(await add(stranger, createPasskeyDevice(ORIGIN).create(await options()))).toEqual(refused)
  const asked = await options()
  wait(api, 5)
  expect(await add(user, createPasskeyDevice(ORIGIN).create(asked))).toEqual(refused)
  const device = createPasskeyDevice(ORIGIN)
  const credential = device.create(await options())
  expect(await add(user, credential)).toEqual([200])
  expect(await add(user, credential)).toEqual(refused)
  const next = await options()
  expect(next.excludeCredentials.map(({ id }) => id)).toEqual([device.credentialId.toString('base64url')])
  // The key of one account is not that of another.
  const foreign = (await stranger.call(startPasskey, password)).body
  expect(await add(stranger, device.create(foreign))).toEqual(refused)
  // Who has only a session of an hour ago and the password adds none.
  wait(api, 11)
  expect(await outcome(user.call(startPasskey, password))).toEqual([403, 'step-up-required'])
})

test('a passkey of the caller steps up, in the session that asked', async () => {
  const api = await portal()
  const user = await api.as('UserManagement')
  const device = createPasskeyDevice(ORIGIN, 1)
  const theirs = createPasskeyDevice(ORIGIN, 1)
  await addTo(user, device)
  await addTo(await api.as('Stat'), theirs)
  const manage = () => outcome(user.call(bulkDelete, { body: [999_999] }))
  wait(api, 11)
  expect(await manage()).toEqual([403, 'step-up-required'])
  const verify = (passkey: ReturnType<Device['sign']>) => outcome(user.call(stepUp, { body: { passkey } }))
  const options = async () => (await user.call(startPasskeyStepUp)).body
  expect((await options()).allowCredentials).toEqual([
    { type: 'public-key', id: device.credentialId.toString('base64url'), transports: ['internal'] },
  ])
  const refused = [422, 'passkey-refused']
  expect(await verify(theirs.sign(await options()))).toEqual(refused)
  // A challenge for a sign-in is none for a step-up, nor the other way round.
  expect(await verify(device.sign((await api.anyone.call(startPasskeyLogin)).body))).toEqual(refused)
  const session = api.client((await signIn(api, device)).body.token)
  expect(await verify(device.sign((await session.call(startPasskeyStepUp)).body))).toEqual(refused)
  expect(await outcome(user.call(stepUp, password))).toEqual([422, 'factor-code-required'])
  expect(await manage()).toEqual([403, 'step-up-required'])
  expect(await verify(device.sign(await options()))).toEqual([204])
  expect(await manage()).toEqual([404, 'user-not-found'])
})

test('passkeys are renamed and removed by their owner, the last one not while a factor is required', async () => {
  const api = await portal({ secondFactor: 'all' })
  const user = await api.as('Stat')
  const [first, second] = [createPasskeyDevice(ORIGIN), createPasskeyDevice(ORIGIN)]
  await addTo(user, first, 'A')
  await addTo(user, second, 'B')
  const stranger = await api.as('Stat')
  await addTo(stranger, createPasskeyDevice(ORIGIN), 'C')
  const [{ id = 0 } = {}, { id: other = 0 } = {}] = (await user.call(ownFactors)).body.passkeys
  const params = { id }
  expect(await outcome(stranger.call(renamePasskey, { params, body: { name: 'X' } }))).toEqual([
    404,
    'passkey-not-found',
  ])
  expect(await outcome(stranger.call(removePasskey, { params, ...password }))).toEqual([404, 'passkey-not-found'])
  expect(await outcome(user.call(renamePasskey, { params, body: { name: ' ' } }))).toEqual([
    400,
    'passkey-name-required',
  ])
  expect((await user.call(renamePasskey, { params, body: { name: 'Biuro' } })).status).toBe(204)
  expect((await user.call(ownFactors)).body.passkeys.map(({ name }) => name)).toEqual(['Biuro', 'B'])
  expect((await user.call(renewRecoveryCodes, password)).body.recoveryCodes).toHaveLength(10)
  expect((await user.call(removePasskey, { params, ...password })).status).toBe(204)
  expect(await outcome(signIn(api, first))).toEqual([401, 'passkey-refused'])
  expect(await outcome(user.call(removePasskey, { params: { id: other }, ...password }))).toEqual([
    422,
    'factor-required',
  ])
  expect((await user.call(ownFactors)).body).toMatchObject({ passkeys: [{ name: 'B' }], recoveryCodesLeft: 10 })

  const admin = await api.as('UserManagement', 'UsersAdmin', 'Stat')
  await addTo(admin, createPasskeyDevice(ORIGIN))
  expect((await admin.call(readUser, { params: { id: user.userId } })).body.hasFactor).toBe(true)
  expect((await admin.call(resetFactors, { params: { id: user.userId } })).status).toBe(204)
  expect(await outcome(signIn(api, second))).toEqual([401, 'passkey-refused'])
  expect(await api.db.query(sql`select from recovery_code where user_id = ${user.userId}`)).toHaveLength(0)
})

test('a role that requires a passkey accepts nothing else, and makes users without one add it', async () => {
  const api = await portal()
  const other = await portal({}, api)
  const admin = await api.as('Roles', 'Stat')
  const user = await api.as('Stat')
  const role = (await user.call(readSelf)).body.roles[0] as { id: number; name: string }
  const require = (requiredFactor: RequiredFactor) =>
    admin.call(changeRole, {
      params: { id: role.id },
      body: { name: role.name, permissions: ['ROLE_4'], requiredFactor },
    })
  // The app of a user who has no passkey yet.
  const { secret, recoveryCodes } = (await user.call(startAuthenticator)).body
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = () => app.generate({ timestamp: api.clock.now.getTime() })
  await user.call(confirmAuthenticator, { body: { code: code(), password: PASSWORD } })
  expect((await require('passkey')).body).toMatchObject({ requiresFactor: true, requiredFactor: 'passkey' })

  // Password and code let in to add the first one, in every process, and no further.
  const byPassword = async (portal: TestApi) =>
    (await portal.anyone.call(login, { body: { username: user.username, password: PASSWORD } })).body.pending
  const complete = async (code: string) =>
    api.anyone.call(loginWithFactor, { body: { pending: (await byPassword(api))?.id ?? '', code } })
  wait(api, 1)
  const limited = api.client((await complete(code())).body.token)
  expect((await limited.call(readSelf)).body.mustSetUpFactor).toBe(true)
  expect((await limited.call(ownFactors)).body).toMatchObject({ required: true, passkeyRequired: true, passkeys: [] })
  expect(await outcome(limited.call(ownSessions))).toEqual([403, 'factor-setup-required'])
  // Who thinks about it for long is verified again, by what they have.
  wait(api, 11)
  expect(await outcome(limited.call(startPasskey, password))).toEqual([403, 'step-up-required'])
  expect(await outcome(limited.call(startPasskeyStepUp))).toEqual([404, 'passkey-not-found'])
  expect(await outcome(limited.call(startProviderStepUp))).toEqual([404, 'provider-not-found'])
  expect((await limited.call(stepUp, { body: { code: code() } })).status).toBe(204)
  expect(await outcome(limited.call(ownSessions))).toEqual([403, 'factor-setup-required'])
  const device = createPasskeyDevice(ORIGIN)
  expect((await addTo(limited, device)).status).toBe(200)
  expect((await limited.call(ownSessions)).status).toBe(200)
  expect((await admin.call(stepUp, password)).status).toBe(204)

  // From then on neither a code nor a recovery code, in a sign-in or a step-up, and no sign-in that was begun before.
  await require('any')
  const begun = (await byPassword(api))?.id ?? ''
  const before = api.client((await complete(recoveryCodes[0] ?? '')).body.token)
  expect((await before.call(ownSessions)).status).toBe(200)
  await require('passkey')
  expect((await before.call(ownSessions)).status).toBe(401)
  expect(await byPassword(other)).toMatchObject({ factors: ['passkey'], passkeyRequired: true })
  wait(api, 1)
  for (const refused of [code(), recoveryCodes[1] ?? '']) {
    expect(await outcome(complete(refused))).toEqual([403, 'passkey-required'])
    const late = api.anyone.call(loginWithFactor, { body: { pending: begun, code: refused } })
    expect(await outcome(late)).toEqual([403, 'passkey-required'])
    expect(await outcome(limited.call(stepUp, { body: { code: refused } }))).toEqual([422, 'passkey-required'])
  }
  const session = api.client((await signIn(api, device)).body.token)
  expect((await session.call(ownSessions)).body[0]?.factor).toBe('passkey')
  const [{ id = 0 } = {}] = (await session.call(ownFactors)).body.passkeys
  const remove = (id: number) => outcome(session.call(removePasskey, { params: { id }, ...password }))
  expect(await remove(id)).toEqual([422, 'factor-required'])
  // A locked one opens nothing: it does not replace the last that does, and may be removed itself.
  const counted = createPasskeyDevice(ORIGIN, 5)
  await addTo(session, counted, 'Kopia')
  const copy = counted.copy()
  expect((await signIn(api, counted)).status).toBe(200)
  expect(await outcome(signIn(api, copy))).toEqual([403, 'passkey-locked'])
  expect(await remove(id)).toEqual([422, 'factor-required'])
  const locked = (await session.call(ownFactors)).body.passkeys.find(({ lockedAt }) => lockedAt !== null)
  expect(await remove(locked?.id ?? 0)).toEqual([204])
  // Where all are locked, a code is answered like the key: it is locked, and not merely required.
  const late = (await byPassword(api))?.id ?? ''
  await api.db.execute(sql`update passkey set locked_at = ${api.clock.now}::timestamptz where id = ${id}`)
  wait(api, 1)
  expect(await outcome(signIn(api, device))).toEqual([403, 'passkey-locked'])
  for (const refused of [code(), recoveryCodes[1] ?? '']) {
    expect(await outcome(complete(refused))).toEqual([403, 'passkey-locked'])
    const begunBefore = api.anyone.call(loginWithFactor, { body: { pending: late, code: refused } })
    expect(await outcome(begunBefore)).toEqual([403, 'passkey-locked'])
    expect(await outcome(session.call(stepUp, { body: { code: refused } }))).toEqual([403, 'passkey-locked'])
  }

  // What callers of earlier versions send does not weaken it.
  const kept = await admin.call(changeRole, {
    params: { id: role.id },
    body: { name: role.name, permissions: ['ROLE_4'], requiresFactor: true },
  })
  expect(kept.body).toMatchObject({ requiresFactor: true, requiredFactor: 'passkey' })

  // The strictest of several roles holds, whatever its position among them.
  await require('none')
  const second = (
    await admin.call(addRole, {
      body: { name: 'Dyżur', permissions: ['ROLE_4'], requiredFactor: 'passkey' },
    })
  ).body
  await api.db.execute(sql`insert into user_role (user_id, role_id, place) values (${user.userId}, ${second.id}, 9)`)
  expect(await byPassword(other)).toMatchObject({ passkeyRequired: true })
  const entries = await api.db.query<{ after: object }>(
    sql`select after -> 'requiredFactor' as after from audit where action = 'role-changed' order by id limit 2`,
  )
  expect(entries).toEqual([{ after: 'passkey' }, { after: null }])
})

test("a role that requires a passkey asks an account of a provider for it, regardless of the provider's factors", async () => {
  const provider = await startTestProvider(`${ORIGIN}/login/callback/zdw`)
  onTestFinished(() => {
    provider.server.closeAllConnections()
    provider.server.close()
  })
  provider.accounts.set('iga', { groups: ['wim'], claims: { amr: ['pwd', 'mfa'] } })
  const api = await portal({
    providers: [
      {
        ...{ id: 'zdw', label: 'ZDW', issuer: provider.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
        ...{ scope: 'openid profile', roleClaim: 'groups', roleMap: [{ group: 'wim', role: 'Waga' }] },
        ...{ mfaAcr: [], logout: true, linkAtSignIn: true },
      },
    ],
  })
  await api.db.execute(sql`
    insert into role (name, permissions, requires_factor, required_factor)
    values ('Waga', '{ROLE_1}', true, 'passkey')`)
  const params = { provider: 'zdw' }
  const signInThere = async () => {
    const { address, transaction } = (await api.anyone.call(startProviderLogin, { params })).body
    const body = { transaction, answer: await answerOf(address, 'iga') }
    return (await api.anyone.call(loginWithProvider, { params, body })).body
  }
  // Let in to add the first one, without a password, and no further.
  const iga = api.client((await signInThere()).token)
  expect((await iga.call(readSelf)).body).toMatchObject({ mustSetUpFactor: true, provider: 'ZDW' })
  expect(await outcome(iga.call(ownSessions))).toEqual([403, 'factor-setup-required'])
  const device = createPasskeyDevice(ORIGIN)
  const options = (await iga.call(startPasskey, { body: {} })).body
  const { recoveryCodes } = (
    await iga.call(addPasskey, { body: { name: 'Klucz', credential: device.create(options) } })
  ).body
  expect((await iga.call(ownSessions)).body).toMatchObject([{ factor: 'passkey', provider: 'ZDW' }])

  // From then on the factor of the provider is not enough, nor a recovery code, nor the passkey without the provider.
  const { token, pending } = await signInThere()
  expect([token, pending]).toEqual([
    undefined,
    expect.objectContaining({ factors: ['passkey'], passkeyRequired: true }),
  ])
  const begun = { pending: pending?.id ?? '' }
  const byCode = api.anyone.call(loginWithFactor, { body: { ...begun, code: recoveryCodes?.[0] ?? '' } })
  expect(await outcome(byCode)).toEqual([403, 'passkey-required'])
  expect((await signIn(api, device)).status).toBe(401)
  const challenge = (await api.anyone.call(startPasskeyLogin)).body
  const completed = await api.anyone.call(loginWithPasskey, {
    body: { ...begun, credential: device.sign(challenge) },
  })
  const session = api.client(completed.body.token)
  expect((await session.call(ownSessions)).body).toMatchObject([{ factor: 'passkey', provider: 'ZDW' }, {}])

  // That of a local account does not open what a role has the provider open: it begins the link of the account.
  const local = await api.as('Stat')
  const own = createPasskeyDevice(ORIGIN, 1)
  await addTo(local, own)
  await api.db.execute(
    sql`update role set requires_factor = true, required_factor = 'provider' where name = ${local.username}`,
  )
  const beginning = (await signIn(api, own)).body
  expect(beginning).toMatchObject({ pending: { factors: [], linkRequired: true } })
  const toLink = { pending: beginning.pending?.id ?? '' }
  const { address, transaction } = (await api.anyone.call(startSignInLink, { params, body: toLink })).body
  provider.accounts.set('ina', { groups: ['wim'] })
  const answer = { transaction, answer: await answerOf(address, 'ina') }
  const linked = api.client(
    (await api.anyone.call(linkAtSignIn, { params, body: { ...toLink, ...answer } })).body.token,
  )
  const throughProvider = (await linked.call(ownSessions)).body.filter(({ provider }) => provider !== null)
  expect(throughProvider).toMatchObject([{ factor: 'passkey', provider: 'ZDW' }])
  expect(await outcome(signIn(api, own))).toEqual([403, 'provider-sign-in-required'])
})

test('passkeys are available where browsers have them, and the portal can keep recovery codes', async () => {
  const first = await testApi()
  const cases: [string, Buffer | null, boolean][] = [
    ['https://wim.example.org', SECRET_KEY, true],
    ['http://localhost:8080', SECRET_KEY, true],
    ['http://wim.example.org', SECRET_KEY, false],
    ['https://10.0.0.1', SECRET_KEY, false],
    ['https://[::1]:8443', SECRET_KEY, false],
    ['https://wim.example.org', null, false],
  ]
  for (const [publicUrl, secretKey, has] of cases) {
    const api = await testApi({ publicUrl, secretKey }, first)
    expect([publicUrl, (await api.anyone.call(build)).body.passkeys]).toEqual([publicUrl, has])
    const refused = [422, 'passkeys-unavailable']
    expect(await outcome(api.anyone.call(startPasskeyLogin))).toEqual(has ? [200] : refused)
    const admin = await api.as('Roles')
    const body = { name: publicUrl, permissions: ['ROLE_19'], requiredFactor: 'passkey' as const }
    const missing = secretKey ? refused : [422, 'factors-cannot-be-kept']
    expect((await outcome(admin.call(addRole, { body }))).slice(0, 2)).toEqual(has ? [200] : missing)
  }
})
