import { endOtherSessions, ownSessions, updatePassword } from '@rogatka/contract/preferences.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { change as changeRole } from '@rogatka/contract/roles.ts'
import { build, login, ping, resetPassword } from '@rogatka/contract/session.ts'
import {
  confirmAuthenticator,
  loginWithFactor,
  ownFactors,
  startAuthenticator,
  stepUp,
} from '@rogatka/contract/session-factors.ts'
import {
  linkAtSignIn,
  linkIdentity,
  loginWithProvider,
  startIdentityLink,
  startProviderLogin,
  startProviderStepUp,
  startSignInLink,
  unlinkOwnIdentity,
} from '@rogatka/contract/session-providers.ts'
import { bulkDelete, change as changeUser, read as readUser, unlinkIdentity } from '@rogatka/contract/users.ts'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, test } from 'vitest'
import type { Config } from '../config.ts'
import type { Provider } from '../core/providers.ts'
import { sql } from '../core/statement.ts'
import { answerOf, providerSettings, startTestProvider, type TestProvider } from '../testing/oidc-provider.ts'
import { type Client, PASSWORD, type TestApi, testApi } from '../testing/test-api.ts'
import { restoreAdministrator } from '../users/administrator.ts'

const PORTAL = 'http://127.0.0.1:8080'
const SECRET_KEY = Buffer.alloc(32, 0x5a)
const ZDW = { provider: 'zdw' }
/** What begins a link of the own account. */
const OWN = { params: ZDW, body: { password: PASSWORD } }

let zdw: TestProvider
beforeEach(async () => {
  zdw ??= await startTestProvider(`${PORTAL}/login/callback/zdw`)
  zdw.forge = undefined
})

const providerOf = (settings: Partial<Provider> = {}): Provider => providerSettings(zdw.issuer, settings)

async function portal(settings: Partial<Config> = {}, share?: TestApi) {
  const all = { providers: [providerOf()], publicUrl: PORTAL, secretKey: SECRET_KEY }
  const api = await testApi({ ...all, ...settings }, share)
  if (!share) await api.db.execute(sql`insert into role (name, permissions) values ('Waga', '{ROLE_1,ROLE_11}')`)
  return api
}

type User = Awaited<ReturnType<TestApi['as']>>

const account = (name: string, groups: string[], claims = {}) => zdw.accounts.set(name, { groups, claims })

/** Begins to set up an app for a user. Returns its codes, each of another step. */
async function startApp(api: TestApi, user: User): Promise<() => string> {
  const { secret } = (await user.call(startAuthenticator)).body
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  return () => {
    later(api, 1)
    return app.generate({ timestamp: api.clock.now.getTime() })
  }
}

type Answer = { transaction: string; answer: string }

/** Lets somebody sign in at the provider to which the request leads. */
const answered = async ({ address, transaction }: { address: string; transaction: string }, name: string) => ({
  transaction,
  answer: await answerOf(address, name),
})

const askLink = async (client: Client, name: string): Promise<Answer> =>
  answered((await client.call(startIdentityLink, OWN)).body, name)

const redeemLink = (client: Client, body: Answer) => client.call(linkIdentity, { params: ZDW, body })

const link = async (client: Client, name: string) => redeemLink(client, await askLink(client, name))

const askSignIn = async (api: TestApi, name: string): Promise<Answer> =>
  answered((await api.anyone.call(startProviderLogin, { params: ZDW })).body, name)

const signIn = async (api: TestApi, name: string) =>
  api.anyone.call(loginWithProvider, { params: ZDW, body: await askSignIn(api, name) })

const byPassword = (api: TestApi, { username }: User, password = PASSWORD) =>
  api.anyone.call(login, { body: { username, password } })

const outcome = async (result: Promise<{ status: number; errors: { code: string }[] }>) => {
  const { status, errors } = await result
  return [status, ...errors.map(({ code }) => code)]
}

const audited = (api: TestApi, ...actions: string[]) =>
  api.db.query<{ action: string; subject: string; before: unknown; after: unknown }>(sql`
    select action, subject, before, after from audit where action = any(${actions}) order by id`)

/** An identity as it is audited. */
const identityOf = (name: string) => ({
  provider: 'zdw',
  providerAccount: name,
  issuer: zdw.issuer,
  providerSubject: name,
})

const identitiesOf = (api: TestApi) =>
  api.db.query<{ subject: string; userId: number }>(sql`
    select subject, user_id as "userId" from user_identity order by subject`)

const later = (api: TestApi, minutes: number) => {
  api.clock.now = new Date(api.clock.now.getTime() + minutes * 60_000)
}

/** Requires something of the role of a user. */
const requireOf = async (api: TestApi, user: User, requiredFactor: 'any' | 'provider') => {
  const admin = await api.as('Roles', 'UsersAdmin', 'ArchiveMeasurements', 'PasswordChange')
  const [role] = (await api.db.query<{ id: number; name: string }>(sql`
    select r.id, r.name from role r join user_role ur on ur.role_id = r.id where ur.user_id = ${user.userId}`)) as [
    { id: number; name: string },
  ]
  const body = { name: role.name, permissions: user.permissions, requiredFactor }
  expect((await admin.call(changeRole, { params: { id: role.id }, body })).status).toBe(200)
}

test('a local account is linked after its password, and signs in both ways with its own role and password', async () => {
  const api = await portal()
  const user = await api.as('ArchiveMeasurements', 'PasswordChange')
  // Of somebody who administers the portal by the groups of the provider.
  account('anna', ['wim-admins'])
  expect((await user.call(ownFactors)).body).toMatchObject({ identity: null, providerRequired: false })

  // The session alone, which a screen may show to somebody else, is not enough, however fresh.
  const start = (password?: string) => outcome(user.call(startIdentityLink, { params: ZDW, body: { password } }))
  expect(await start()).toEqual([400, 'user-password-required'])
  expect(await start('x')).toEqual([422, 'wrong-current-password'])
  const request = (await user.call(startIdentityLink, OWN)).body
  // The provider asks also somebody whom it knows: the browser may be that of a control room.
  expect(new URL(request.address).searchParams.get('prompt')).toBe('login')
  expect((await redeemLink(user, await answered(request, 'anna'))).status).toBe(204)
  const { identity } = (await user.call(ownFactors)).body
  expect(identity).toEqual({
    provider: 'Zarząd Dróg',
    name: 'anna',
    linkedAt: api.clock.now.toISOString(),
    lastUsedAt: api.clock.now.toISOString(),
  })
  expect(await audited(api, 'identity-linked')).toEqual([
    {
      action: 'identity-linked',
      subject: user.username,
      before: null,
      after: { ...identityOf('anna'), linkWay: 'settings' },
    },
  ])
  const shown = { provider: null, linkedProvider: 'Zarząd Dróg' }
  const admin = await api.as('UserManagement', 'ArchiveMeasurements', 'PasswordChange')
  expect((await admin.call(readUser, { params: { id: user.userId } })).body).toMatchObject(shown)

  // Neither a new account nor another role, whatever the groups give.
  later(api, 1)
  const first = (await signIn(api, 'anna')).body
  expect(first).toEqual({ username: user.username, token: expect.any(String) })
  const through = api.client(first.token)
  expect((await through.call(readSelf)).body).toMatchObject({ ...shown, permissions: user.permissions })
  expect((await through.call(ownSessions)).body).toMatchObject([{ provider: 'Zarząd Dróg' }, { provider: null }])
  expect((await byPassword(api, user)).body.token).toBeDefined()
  expect(await audited(api, 'role-from-provider', 'user-added-by-provider')).toEqual([])

  // Who confirms may do it by the password or at the provider.
  later(api, 11)
  const atProvider = (await through.call(startProviderStepUp)).body
  const provider = await answered(atProvider, 'anna')
  expect(await outcome(through.call(stepUp, { body: { provider } }))).toEqual([204])
  later(api, 11)
  expect(await outcome(through.call(stepUp, { body: { password: PASSWORD } }))).toEqual([204])

  // The password stays one: changed by its owner, by a mail, by an administrator.
  const newPassword = 'Wiadukt-nad-torem-7'
  const passwords = { password: PASSWORD, newPassword }
  expect((await through.call(updatePassword, { body: passwords })).status).toBe(204)
  await api.db.execute(sql`update app_user set email = 'anna@zdw.example' where id = ${user.userId}`)
  await api.anyone.call(resetPassword, { body: { email: 'anna@zdw.example' } })
  expect(await api.db.query(sql`select kind from outbox`)).toEqual([{ kind: 'password-reset' }])
  const another = await api.withPermissions(admin.permissions)
  const { version, roles } = (await another.call(readUser, { params: { id: user.userId } })).body
  const body = {
    ...{ username: user.username, firstName: 'Anna', lastName: 'Nowak', email: 'anna@zdw.example', version },
    ...{ phoneNumber: '600100200', roles: [roles[0]?.id ?? 0], password: PASSWORD },
  }
  expect((await another.call(changeUser, { params: { id: user.userId }, body })).status).toBe(200)
  // The new one has to be changed, also by who signs in through the provider; one that is old has not.
  const withPassword = api.client((await byPassword(api, user)).body.token)
  expect(await outcome(withPassword.call(ownSessions))).toEqual([403, 'password-expired'])
  const forced = api.client((await signIn(api, 'anna')).body.token)
  expect(await outcome(forced.call(ownSessions))).toEqual([403, 'password-expired'])
  await api.db.execute(sql`update app_user set must_change_password = false,
    password_updated_at = '2020-01-01' where id = ${user.userId}`)
  const again = api.client((await signIn(api, 'anna')).body.token)
  expect((await again.call(ownSessions)).status).toBe(200)
  expect((await again.call(readSelf)).body).toMatchObject({ mustChangePassword: false, passwordExpired: false })

  // Without a group that gives a role the provider lets nobody in, and ends the sessions; the password is the portal's.
  account('anna', ['staff'])
  expect(await outcome(signIn(api, 'anna'))).toEqual([403, 'no-role'])
  expect((await again.call(ping)).status).toBe(401)
  expect((await byPassword(api, user)).body.token).toBeDefined()
})

test('a link belongs to one account, session, purpose and answer of the provider', async () => {
  const api = await portal()
  const other = await portal({}, api)
  const user = await api.as('ArchiveMeasurements')
  const second = await api.as('ArchiveMeasurements')
  for (const name of ['anna', 'ewa', 'olga', 'nowy']) account(name, ['wim'])
  account('jan', ['staff'])
  const refused = [403, 'provider-refused']

  // Without a role at the provider, declined there, or of somebody who has an account already.
  expect(await outcome(link(user, 'jan'))).toEqual([403, 'no-role'])
  expect(await outcome(link(user, ''))).toEqual([403, 'provider-declined'])
  const ewa = api.client((await signIn(api, 'ewa')).body.token)
  expect(await outcome(link(user, 'ewa'))).toEqual([422, 'identity-of-other-account'])
  expect(await outcome(ewa.call(startIdentityLink, OWN))).toEqual([422, 'account-of-provider'])
  expect(await audited(api, 'identity-link-refused')).toMatchObject([
    { subject: user.username, after: { ...identityOf('jan'), linkWay: 'settings', linkRefusal: 'no-role' } },
    { subject: user.username, after: { ...identityOf('ewa'), linkWay: 'settings', linkRefusal: 'other-account' } },
  ])

  // A wrong state, the secret of another tab, another session, another purpose; each ends the request.
  const forged = await askLink(user, 'anna')
  expect(await outcome(redeemLink(user, { ...forged, answer: forged.answer.replace('state=', 'state=x') }))).toEqual(
    refused,
  )
  expect(await outcome(redeemLink(user, forged))).toEqual(refused)
  const tabs = [await askLink(user, 'anna'), await askLink(user, 'anna')] as const
  expect(await outcome(redeemLink(user, { ...tabs[0], transaction: tabs[1].transaction }))).toEqual(refused)
  expect(await outcome(redeemLink(second, tabs[0]))).toEqual(refused)
  const anotherSession = api.client((await byPassword(api, user)).body.token)
  expect(await outcome(redeemLink(anotherSession, await askLink(user, 'anna')))).toEqual(refused)
  expect(await outcome(redeemLink(user, await askSignIn(api, 'anna')))).toEqual(refused)
  const toLink = await askLink(user, 'anna')
  expect(await outcome(api.anyone.call(loginWithProvider, { params: ZDW, body: toLink }))).toEqual(refused)
  expect(await outcome(user.call(linkIdentity, { params: { provider: 'nobody' }, body: toLink }))).toEqual([
    404,
    'provider-not-found',
  ])
  const late = await askLink(user, 'anna')
  later(api, 10)
  expect(await outcome(redeemLink(user, late))).toEqual(refused)
  expect((await user.call(stepUp, { body: { password: PASSWORD } })).status).toBe(204)
  zdw.forge = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 3_600 })
  expect(await outcome(link(user, 'anna'))).toEqual(refused)
  zdw.forge = undefined
  expect(await identitiesOf(api)).toEqual([{ subject: 'ewa', userId: expect.any(Number) }])

  // An answer that was lost on the way is asked for again; an answer is redeemed once, also by another process.
  await askLink(user, 'anna')
  const answer = await askLink(user, 'anna')
  const ofAnotherTab = await askLink(user, 'olga')
  const attempts = await Promise.all([redeemLink(user, answer), redeemLink(other.client(user.token), answer)])
  expect(attempts.map(({ status }) => status).sort()).toEqual([204, 403])
  expect(await outcome(redeemLink(user, answer))).toEqual(refused)
  expect(await outcome(redeemLink(user, ofAnotherTab))).toEqual([422, 'account-linked'])
  expect(await outcome(user.call(startIdentityLink, OWN))).toEqual([422, 'account-linked'])

  // Of two accounts that link the same identity at once, one does; so does one of a link and a first sign-in.
  expect((await second.call(stepUp, { body: { password: PASSWORD } })).status).toBe(204)
  const third = await api.as('ArchiveMeasurements')
  const [one, two] = [await askLink(second, 'olga'), await askLink(third, 'olga')]
  const both = await Promise.all([redeemLink(second, one), redeemLink(other.client(third.token), two)])
  expect(both.map(({ status }) => status).sort()).toEqual([204, 422])
  const unlinked = both[0].status === 204 ? third : second
  const [toSignIn, toBeLinked] = [await askSignIn(api, 'nowy'), await askLink(unlinked, 'nowy')]
  const [entered, joined] = await Promise.all([
    other.anyone.call(loginWithProvider, { params: ZDW, body: toSignIn }),
    redeemLink(unlinked, toBeLinked),
  ])
  expect(entered.body.username).toBe(joined.status === 204 ? unlinked.username : 'nowy')
  const owners = await identitiesOf(api)
  expect(owners.map(({ subject }) => subject)).toEqual(['anna', 'ewa', 'nowy', 'olga'])
  expect(new Set(owners.map(({ userId }) => userId)).size).toBe(4)
})

test('a link in flight ends with the account, its password and the session', async () => {
  const api = await portal()
  const admin = await api.as('UserManagement', 'ArchiveMeasurements', 'PasswordChange')
  account('anna', ['wim'])
  /** Redeems a link while something happens before the provider has answered. */
  const meanwhile = async (user: User, happen: () => Promise<unknown>) => {
    const answer = await askLink(user, 'anna')
    zdw.forge = async (claims) => {
      await happen()
      return claims
    }
    const result = await outcome(redeemLink(user, answer))
    zdw.forge = undefined
    return result
  }
  const begin = () => api.as('ArchiveMeasurements', 'PasswordChange')
  const [deleted, disabled, closed, changed] = [await begin(), await begin(), await begin(), await begin()]
  const ended = [401, 'unauthorized']
  expect(await meanwhile(deleted, () => admin.call(bulkDelete, { body: [deleted.userId] }))).toEqual(ended)
  const disable = () => api.db.execute(sql`update app_user set enabled = false where id = ${disabled.userId}`)
  expect(await meanwhile(disabled, disable)).toEqual(ended)
  const other = api.client((await byPassword(api, closed)).body.token)
  expect(await meanwhile(closed, () => other.call(endOtherSessions))).toEqual(ended)
  const passwords = { password: PASSWORD, newPassword: 'Wiadukt-nad-torem-7' }
  expect(await meanwhile(changed, () => changed.call(updatePassword, { body: passwords }))).toEqual([
    422,
    'wrong-current-password',
  ])
  expect(await identitiesOf(api)).toEqual([])
  // The identity is free.
  expect((await link(await begin(), 'anna')).status).toBe(204)
})

test('an unlinked session does not count as one through the provider', async () => {
  const api = await portal()
  const user = await api.as('ArchiveMeasurements')
  account('anna', ['wim'], { amr: ['mfa'] })
  expect((await link(user, 'anna')).status).toBe(204)
  const through = api.client((await signIn(api, 'anna')).body.token)
  expect((await through.call(unlinkOwnIdentity)).status).toBe(204)
  expect((await through.call(ping)).status).toBe(204)
  await requireOf(api, user, 'provider')
  expect((await through.call(ping)).status).toBe(401)
})

test('a link needs a provider that answers, and the account works without', async () => {
  const api = await portal({ providers: [providerOf({ issuer: 'http://127.0.0.1:1' })] })
  const user = await api.as('ArchiveMeasurements')
  expect(await outcome(user.call(startIdentityLink, OWN))).toEqual([503, 'provider-not-reachable'])
  const answering = await portal({}, api)
  account('anna', ['wim'])
  const answer = await askLink(answering.client(user.token), 'anna')
  // It dies while the user is at its page; the request is used up.
  expect(await outcome(redeemLink(user, answer))).toEqual([503, 'provider-not-reachable'])
  expect(await outcome(redeemLink(answering.client(user.token), answer))).toEqual([403, 'provider-refused'])
  expect(await identitiesOf(api)).toEqual([])
  expect((await byPassword(api, user)).status).toBe(200)
})

test('the user or an administrator unlinks an account, unless a role requires the provider', async () => {
  const api = await portal()
  const admin = await api.as('UserManagement', 'ArchiveMeasurements', 'CurrentMeasurements', 'PasswordChange')
  const weaker = await api.as('UserManagement')
  const user = await api.as('ArchiveMeasurements')
  account('anna', ['wim'])
  account('ewa', ['wim'])
  expect(await outcome(user.call(unlinkOwnIdentity))).toEqual([404, 'account-not-linked'])
  expect((await link(user, 'anna')).status).toBe(204)
  const through = api.client((await signIn(api, 'anna')).body.token)

  later(api, 11)
  expect(await outcome(user.call(unlinkOwnIdentity))).toEqual([403, 'step-up-required'])
  await user.call(stepUp, { body: { password: PASSWORD } })
  expect((await user.call(unlinkOwnIdentity)).status).toBe(204)
  expect((await through.call(ping)).status).toBe(401)
  expect((await user.call(ping)).status).toBe(204)
  // The provider now signs in to an account of its own, which keeps the identity.
  expect((await signIn(api, 'anna')).body.username).toBe('anna')
  expect(await outcome(link(user, 'anna'))).toEqual([422, 'identity-of-other-account'])
  const [ofProvider] = await api.db.query<{ id: number }>(sql`select id from app_user where username = 'anna'`)
  const unlink = (by: Client, id: number) => outcome(by.call(unlinkIdentity, { params: { id } }))
  for (const one of [admin, weaker]) await one.call(stepUp, { body: { password: PASSWORD } })
  expect(await unlink(admin, ofProvider?.id ?? 0)).toEqual([422, 'account-of-provider'])

  expect((await link(user, 'ewa')).status).toBe(204)
  const again = api.client((await signIn(api, 'ewa')).body.token)
  expect(await unlink(weaker, user.userId)).toEqual([403, 'account-has-more-rights'])
  expect(await unlink(admin, admin.userId)).toEqual([422, 'own-account-in-settings'])
  expect(await unlink(admin, 999_999)).toEqual([404, 'user-not-found'])
  expect(await unlink(admin, user.userId)).toEqual([204])
  expect(await unlink(admin, user.userId)).toEqual([404, 'account-not-linked'])
  expect((await again.call(ping)).status).toBe(401)
  const unlinked = { action: 'identity-unlinked', subject: user.username, after: null }
  expect(await audited(api, 'identity-unlinked')).toEqual([
    { ...unlinked, before: identityOf('anna') },
    { ...unlinked, before: identityOf('ewa') },
  ])

  // Where a role requires the provider, the account stays linked, and the password opens and confirms nothing.
  const own = api.client((await byPassword(api, user)).body.token)
  expect((await link(own, 'ewa')).status).toBe(204)
  await requireOf(api, user, 'provider')
  expect((await own.call(ping)).status).toBe(401)
  expect(await outcome(byPassword(api, user))).toEqual([403, 'provider-sign-in-required'])
  account('ewa', ['wim'], { amr: ['mfa'] })
  const required = api.client((await signIn(api, 'ewa')).body.token)
  expect((await required.call(ownFactors)).body).toMatchObject({ providerRequired: true, identity: { name: 'ewa' } })
  expect(await outcome(required.call(unlinkOwnIdentity))).toEqual([422, 'link-required'])
  later(api, 11)
  expect(await outcome(required.call(stepUp, { body: { password: PASSWORD } }))).toEqual([422, 'provider-required'])
  // The identity of a deleted account is free.
  await admin.call(stepUp, { body: { password: PASSWORD } })
  expect((await admin.call(bulkDelete, { body: [user.userId] })).status).toBe(204)
  expect((await signIn(api, 'ewa')).body.username).toBe('ewa')
})

test('a second factor after a password opens no linked account that needs its provider', async () => {
  const api = await portal()
  const user = await api.as('ArchiveMeasurements')
  account('iza', ['wim'])
  expect((await link(user, 'iza')).status).toBe(204)
  const code = await startApp(api, user)
  // The account has a password, which confirms the app.
  expect(await outcome(user.call(confirmAuthenticator, { body: { code: code() } }))).toEqual([
    400,
    'user-password-required',
  ])
  expect((await user.call(confirmAuthenticator, { body: { code: code(), password: PASSWORD } })).status).toBe(204)
  const complete = (pending: { id: string } | undefined) =>
    api.anyone.call(loginWithFactor, { body: { pending: pending?.id ?? '', code: code() } })
  const begun = (await byPassword(api, user)).body.pending
  const local = api.client((await complete(begun)).body.token)
  expect((await local.call(ownSessions)).body[0]).toMatchObject({ provider: null, factor: 'authenticator' })
  const beforeRule = (await byPassword(api, user)).body.pending
  await requireOf(api, user, 'provider')
  expect(await outcome(complete(beforeRule))).toEqual([403, 'provider-sign-in-required'])
  const through = api.client((await complete((await signIn(api, 'iza')).body.pending)).body.token)
  expect((await through.call(ownSessions)).body[0]).toMatchObject({
    provider: 'Zarząd Dróg',
    factor: 'authenticator',
  })
})

test('a second factor of the portal is asked for after the provider, too, and before a link', async () => {
  const api = await portal()
  const user = await api.as('ArchiveMeasurements', 'PasswordChange')
  account('iza', ['wim'], { amr: ['mfa'] })
  const code = await startApp(api, user)
  expect((await user.call(confirmAuthenticator, { body: { code: code(), password: PASSWORD } })).status).toBe(204)
  later(api, 11)
  expect(await outcome(user.call(startIdentityLink, OWN))).toEqual([403, 'step-up-required'])
  expect((await user.call(stepUp, { body: { code: code() } })).status).toBe(204)
  expect((await link(user, 'iza')).status).toBe(204)
  const { token, pending } = (await signIn(api, 'iza')).body
  expect([token, pending?.factors]).toEqual([undefined, ['authenticator']])
  const body = { pending: pending?.id ?? '', code: code() }
  const through = api.client((await api.anyone.call(loginWithFactor, { body })).body.token)
  const provider = await answered((await through.call(startProviderStepUp)).body, 'iza')
  expect(await outcome(through.call(stepUp, { body: { provider } }))).toEqual([422, 'factor-code-required'])
})

test('a linked administrator counts as the last one, and is restored by the command', async () => {
  const api = await portal()
  const [role] = await api.db.query<{ permissions: string[] }>(sql`select permissions from role where id = 8`)
  const admin = await api.withPermissions(role?.permissions ?? [])
  const second = await api.withPermissions(role?.permissions ?? [])
  account('szef', ['wim'])
  expect((await link(admin, 'szef')).status).toBe(204)
  expect((await admin.call(bulkDelete, { body: [second.userId] })).status).toBe(204)
  expect(await restoreAdministrator(api.db, admin.username, api.clock.now)).toBe(true)
})

/** The sign-in that waits for a link, after the password. */
const pendingLink = async (api: TestApi, user: User, password = PASSWORD): Promise<string> => {
  const { token, pending } = (await byPassword(api, user, password)).body
  expect([token, pending?.linkRequired, pending?.factors]).toEqual([undefined, true, []])
  return pending?.id ?? ''
}

const askLinkAtSignIn = async (api: TestApi, pending: string, name: string): Promise<Answer> =>
  answered((await api.anyone.call(startSignInLink, { params: ZDW, body: { pending } })).body, name)

const redeemAtSignIn = (api: TestApi, pending: string, answer: Answer) =>
  api.anyone.call(linkAtSignIn, { params: ZDW, body: { pending, ...answer } })

const linkAtOnce = async (api: TestApi, pending: string, name: string) =>
  redeemAtSignIn(api, pending, await askLinkAtSignIn(api, pending, name))

test('a sign-in links a local account whose role requires a provider', async () => {
  const api = await portal()
  const other = await portal({}, api)
  const without = await portal({ providers: [] }, api)
  const user = await api.as('ArchiveMeasurements')
  for (const name of ['anna', 'ewa', 'olga']) account(name, ['wim'])
  account('jan', ['staff'])
  await signIn(api, 'ewa')
  await requireOf(api, user, 'provider')
  const refused = [403, 'provider-refused']
  const ended = [401, 'sign-in-expired']
  for (let times = 0; times < 7; times++) await pendingLink(api, user)
  expect(await outcome(byPassword(without, user))).toEqual([403, 'provider-sign-in-required'])
  expect(await outcome(byPassword(api, user, 'x'))).toEqual([401, 'wrong-username-or-password'])

  // The pending sign-in opens nothing else, and outlasts a refusal of the provider or of its user.
  const pending = await pendingLink(api, user)
  expect((await api.client(pending).call(ping)).status).toBe(401)
  expect(await outcome(linkAtOnce(api, pending, 'jan'))).toEqual([403, 'no-role'])
  expect(await outcome(linkAtOnce(api, pending, ''))).toEqual([403, 'provider-declined'])
  expect(await outcome(linkAtOnce(api, pending, 'ewa'))).toEqual([422, 'identity-of-other-account'])

  // A wrong state, another tab, another purpose.
  const forged = await askLinkAtSignIn(api, pending, 'anna')
  const changed = { ...forged, answer: forged.answer.replace('state=', 'state=x') }
  expect(await outcome(redeemAtSignIn(api, pending, changed))).toEqual(refused)
  expect(await outcome(redeemAtSignIn(api, pending, forged))).toEqual(refused)
  const ofOtherTab = await pendingLink(api, user)
  expect(await outcome(redeemAtSignIn(api, ofOtherTab, await askLinkAtSignIn(api, pending, 'anna')))).toEqual(refused)
  expect(await outcome(redeemAtSignIn(api, pending, await askSignIn(api, 'anna')))).toEqual(refused)
  const toLink = await askLinkAtSignIn(api, pending, 'anna')
  expect(await outcome(api.anyone.call(loginWithProvider, { params: ZDW, body: toLink }))).toEqual(refused)
  expect(await outcome(redeemAtSignIn(api, 'unknown', toLink))).toEqual(ended)
  const unknown = api.anyone.call(startSignInLink, { params: ZDW, body: { pending: 'unknown' } })
  expect(await outcome(unknown)).toEqual(ended)
  expect(await identitiesOf(api)).toEqual([{ subject: 'ewa', userId: expect.any(Number) }])

  // Five minutes, and five more for the page of the provider; a new password ends it.
  later(api, 4)
  const slow = await askLinkAtSignIn(api, pending, 'anna')
  later(api, 4)
  expect(await outcome(redeemAtSignIn(api, ofOtherTab, slow))).toEqual(ended)
  const tab = await pendingLink(api, user)
  const [first, second] = [await askLinkAtSignIn(api, pending, 'anna'), await askLinkAtSignIn(api, tab, 'olga')]
  const attempts = await Promise.all([redeemAtSignIn(api, pending, first), redeemAtSignIn(other, tab, second)])
  expect(attempts.map(({ status }) => status).sort()).toEqual([200, 422])
  const linked = attempts[0].status === 200 ? 'anna' : 'olga'
  const token = attempts.find(({ status }) => status === 200)?.body.token
  const session = api.client(token)
  expect((await session.call(readSelf)).body).toMatchObject({
    username: user.username,
    linkedProvider: 'Zarząd Dróg',
    // The role demands a second factor, for which the provider did not ask.
    mustSetUpFactor: true,
  })
  expect(await audited(api, 'identity-linked')).toMatchObject([
    { subject: user.username, after: { ...identityOf(linked), linkWay: 'sign-in' } },
  ])
  const afterwards = [pending, tab].map((pending) =>
    outcome(api.anyone.call(startSignInLink, { params: ZDW, body: { pending } })),
  )
  expect((await Promise.all(afterwards)).sort()).toEqual([ended, [422, 'account-linked']])
  expect(await outcome(byPassword(api, user))).toEqual([403, 'provider-sign-in-required'])
  expect((await signIn(api, linked)).body.username).toBe(user.username)
})

test('a sign-in links an account with a second factor only after that factor', async () => {
  const api = await portal()
  const user = await api.as('ArchiveMeasurements', 'PasswordChange')
  account('iza', ['wim'], { amr: ['mfa'] })
  const code = await startApp(api, user)
  expect((await user.call(confirmAuthenticator, { body: { code: code(), password: PASSWORD } })).status).toBe(204)
  const beforeRule = (await byPassword(api, user)).body.pending
  await requireOf(api, user, 'provider')
  const { pending } = (await byPassword(api, user)).body
  expect(pending).toMatchObject({ factors: ['authenticator'], linkRequired: false })
  // Whoever knows only the password cannot link an identity of their own, which the provider has verified well.
  const early = api.anyone.call(startSignInLink, { params: ZDW, body: { pending: pending?.id ?? '' } })
  expect(await outcome(early)).toEqual([401, 'sign-in-expired'])
  const shown = async (id: string | undefined) =>
    (await api.anyone.call(loginWithFactor, { body: { pending: id ?? '', code: code() } })).body
  const next = await shown(pending?.id)
  expect(next).toMatchObject({ pending: { factors: [], linkRequired: true } })
  expect(next.token).toBeUndefined()
  const also = await shown(beforeRule?.id)
  const { token } = (await linkAtOnce(api, next.pending?.id ?? '', 'iza')).body
  expect((await api.client(token).call(ownSessions)).body[0]).toMatchObject({
    provider: 'Zarząd Dróg',
    factor: 'authenticator',
  })
  const again = api.anyone.call(startSignInLink, { params: ZDW, body: { pending: also.pending?.id ?? '' } })
  expect(await outcome(again)).toEqual([422, 'account-linked'])
})

test('a new password or a factor that is set up meanwhile ends a sign-in that waits for a link', async () => {
  const api = await portal()
  const user = await api.as('ArchiveMeasurements')
  account('anna', ['wim'])
  await requireOf(api, user, 'provider')
  const pending = await pendingLink(api, user)
  const answer = await askLinkAtSignIn(api, pending, 'anna')
  await api.db.execute(sql`insert into authenticator (user_id, secret, last_step, created_at)
    values (${user.userId}, 'x'::bytea, 0, ${api.clock.now}::timestamptz)`)
  expect(await outcome(redeemAtSignIn(api, pending, answer))).toEqual([401, 'sign-in-expired'])
  await api.db.execute(sql`delete from authenticator`)
  await api.db.execute(sql`update app_user set password_hash = 'x' where id = ${user.userId}`)
  const again = api.anyone.call(startSignInLink, { params: ZDW, body: { pending } })
  expect(await outcome(again)).toEqual([401, 'sign-in-expired'])
  expect(await identitiesOf(api)).toEqual([])
})

test('a sign-in links an account only where the provider allows it', async () => {
  const api = await portal()
  const closed = await portal({ providers: [providerOf({ linkAtSignIn: false })] }, api)
  const user = await api.as('ArchiveMeasurements')
  account('anna', ['wim'])
  await requireOf(api, user, 'provider')
  const refused = [403, 'provider-sign-in-required']
  expect(await outcome(byPassword(closed, user))).toEqual(refused)
  const pending = await pendingLink(api, user)
  const answer = await askLinkAtSignIn(api, pending, 'anna')
  const start = closed.anyone.call(startSignInLink, { params: ZDW, body: { pending } })
  expect(await outcome(start)).toEqual(refused)
  expect(await outcome(redeemAtSignIn(closed, pending, answer))).toEqual(refused)
  expect((await api.anyone.call(build)).body.providers).toMatchObject([{ id: 'zdw', linkAtSignIn: true }])
})

test('a sign-in that waits for a link ends after ten minutes, with the rule, and with all sessions', async () => {
  const api = await portal()
  const admin = await api.as('UserManagement', 'ArchiveMeasurements', 'PasswordChange')
  const user = await api.as('ArchiveMeasurements')
  account('anna', ['wim'])
  const ended = [401, 'sign-in-expired']
  await requireOf(api, user, 'provider')
  const pending = await pendingLink(api, user)
  let answer = await askLinkAtSignIn(api, pending, 'anna')
  for (const minutes of [4, 4]) {
    later(api, minutes)
    answer = await askLinkAtSignIn(api, pending, 'anna')
  }
  later(api, 2)
  expect(await outcome(redeemAtSignIn(api, pending, answer))).toEqual(ended)

  // Begun by whoever knew the password: a wrong link is evicted together with what might link it again.
  const [first, second] = [await pendingLink(api, user), await pendingLink(api, user)]
  const waiting = await askLinkAtSignIn(api, second, 'anna')
  await linkAtOnce(api, first, 'anna')
  await admin.call(stepUp, { body: { password: PASSWORD } })
  expect((await admin.call(unlinkIdentity, { params: { id: user.userId } })).status).toBe(204)
  expect(await outcome(redeemAtSignIn(api, second, waiting))).toEqual(ended)

  const unneeded = await pendingLink(api, user)
  const late = await askLinkAtSignIn(api, unneeded, 'anna')
  await requireOf(api, user, 'any')
  expect(await outcome(redeemAtSignIn(api, unneeded, late))).toEqual(ended)
  expect(await identitiesOf(api)).toEqual([])

  // The factor that was shown is removed meanwhile.
  await requireOf(api, user, 'provider')
  const shown = await pendingLink(api, user)
  const last = await askLinkAtSignIn(api, shown, 'anna')
  await api.db.execute(sql`update sign_in_pending set factor = 'authenticator'`)
  expect(await outcome(redeemAtSignIn(api, shown, last))).toEqual(ended)
})
