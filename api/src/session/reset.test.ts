import * as preferences from '@rogatka/contract/preferences.ts'
import { updateSelf } from '@rogatka/contract/preferences.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { login, ping, resetPassword, setPassword } from '@rogatka/contract/session.ts'
import * as users from '@rogatka/contract/users.ts'
import { describe, expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { PASSWORD, type TestApi, testApi } from '../testing/test-api.ts'
import { deleteExpiredResetTokens } from '../users/credential-queries.ts'

const withAddress = async (api: TestApi, email: string) => {
  const user = await api.as('Stat')
  await api.db.execute(sql`update app_user set email = ${email} where id = ${user.userId}`)
  return user
}

/** Requests a reset mail and returns the token in it. */
const tokenFor = async (api: TestApi, email: string) => {
  await api.anyone.call(resetPassword, { body: { email } })
  await api.runJobs()
  return /^[\w-]{43}$/m.exec(api.sent.at(-1)?.text ?? '')?.[0] ?? ''
}

const set = (api: TestApi, email: string, token: string, password = 'Nowe-haslo-1') =>
  api.anyone.call(setPassword, { body: { email, token, password } })

test('sends a token by mail that sets the password once and ends every session', async () => {
  const api = await testApi()
  const user = await withAddress(api, 'maria@example.org')
  const token = await tokenFor(api, 'Maria@Example.org')
  expect(api.sent[0]).toMatchObject({ to: 'maria@example.org', subject: 'Rogatka: nowe hasło' })
  expect(api.sent[0]?.text).toContain('/reset-password/reset/maria%40example.org')

  expect((await set(api, 'maria@example.org', token)).status).toBe(204)
  expect((await user.call(ping)).status).toBe(401)
  const signedIn = await api.anyone.call(login, { body: { username: user.username, password: 'Nowe-haslo-1' } })
  expect(signedIn.status).toBe(200)
  expect((await set(api, 'maria@example.org', token)).errors[0]?.code).toBe('reset-token-invalid')
})

test('refuses used, expired and guessed tokens, and those of another address, with the same error', async () => {
  const api = await testApi()
  await withAddress(api, 'maria@example.org')
  await withAddress(api, 'jan@example.org')
  const used = await tokenFor(api, 'jan@example.org')
  expect((await set(api, 'jan@example.org', used)).status).toBe(204)
  const token = await tokenFor(api, 'maria@example.org')

  const refused = [
    await set(api, 'jan@example.org', used, 'Inne-haslo-1'),
    // The token is checked before the password length.
    await set(api, 'maria@example.org', 'x'.repeat(43), 'short'),
    await set(api, 'maria@example.org', 'x'.repeat(43)),
    await set(api, 'jan@example.org', token),
    await set(api, 'nobody@example.org', token),
  ]
  api.clock.now = new Date(api.clock.now.getTime() + 31 * 60_000)
  refused.push(await set(api, 'maria@example.org', token))
  for (const { status, errors } of refused) {
    expect([status, errors]).toEqual([refused[0]?.status, refused[0]?.errors])
    expect([status, errors]).toEqual([422, [expect.objectContaining({ path: 'token', code: 'reset-token-invalid' })]])
  }
})

test('accepts a reset token once under concurrency', async () => {
  const api = await testApi()
  await withAddress(api, 'maria@example.org')
  const token = await tokenFor(api, 'maria@example.org')
  const both = await Promise.all([1, 2].map((n) => set(api, 'maria@example.org', token, `Nowe-haslo-${n}`)))
  expect(both.map(({ status }) => status).sort()).toEqual([204, 422])
})

test('audits a password reset with the IP address and without secrets', async () => {
  const api = await testApi()
  const user = await withAddress(api, 'maria@example.org')
  const token = await tokenFor(api, 'maria@example.org')
  await set(api, 'maria@example.org', token)
  const lines = await api.db.query(sql`select user_id, ip, action, subject, before, after from audit`)
  expect([...lines]).toEqual([
    {
      user_id: user.userId,
      ip: '127.0.0.1',
      action: 'password-reset',
      subject: user.username,
      before: null,
      after: null,
    },
  ])
})

test('keeps the token if the password is too short', async () => {
  const api = await testApi()
  await withAddress(api, 'maria@example.org')
  const token = await tokenFor(api, 'maria@example.org')
  expect((await set(api, 'maria@example.org', token, 'short')).errors[0]?.path).toBe('password')
  expect((await set(api, 'maria@example.org', token)).status).toBe(204)
})

test('returns 204 for any valid address, and sends mail to known ones only, at most three', async () => {
  const api = await testApi()
  await withAddress(api, 'maria@example.org')
  const order = (email: string) => api.anyone.call(resetPassword, { body: { email } })

  expect((await order('nobody@example.org')).status).toBe(204)
  for (let i = 0; i < 5; i++) expect((await order('maria@example.org')).status).toBe(204)
  await api.runJobs()
  expect(api.sent.map(({ to }) => to)).toEqual(Array(3).fill('maria@example.org'))

  expect((await order('not an address')).errors[0]?.code).toBe('incorrect-email-address')
  expect((await order('')).errors[0]?.code).toBe('user-email-required')
})

describe('reset token', () => {
  type Owner = Awaited<ReturnType<TestApi['withPermissions']>>
  type Change = (given: { api: TestApi; owner: Owner; admin: Owner }) => Promise<{ status: number }>
  const OLD = 'maria@example.org'
  const NEW = 'm.zawadzka@example.org'
  const person = { firstName: 'Maria', lastName: 'Zawadzka', phoneNumber: '600100200' }

  /** A change of the account by an administrator, with the address of the token. */
  const administer = async ({ owner, admin }: { owner: Owner; admin: Owner }, values: object) => {
    const { body } = await admin.call(users.read, { params: { id: owner.userId } })
    const roles = [body.roles[0]?.id as number]
    return admin.call(users.change, {
      params: { id: owner.userId },
      body: { username: owner.username, email: OLD, roles, ...person, ...values },
    })
  }
  const changes: Record<string, Change> = {
    'the user changes the password': ({ owner }) =>
      owner.call(preferences.updatePassword, { body: { password: PASSWORD, newPassword: 'Wlasne-haslo-1' } }),
    'the user changes the address': ({ owner }) =>
      owner.call(updateSelf, { body: { ...person, email: NEW, password: PASSWORD } }),
    'an administrator sets a password': (given) => administer(given, { password: 'Nadane-haslo-1' }),
    'an administrator changes the address': (given) => administer(given, { email: NEW }),
    'an administrator disables the account': (given) => administer(given, { enabled: false }),
  }

  test.each(Object.entries(changes))('is deleted when %s', async (_, change) => {
    const api = await testApi()
    const owner = await api.withPermissions(['ROLE_10', 'ROLE_11'])
    const admin = await api.withPermissions(['ROLE_7', 'ROLE_10', 'ROLE_11', 'ROLE_20'])
    await api.db.execute(sql`update app_user set email = ${OLD} where id = ${owner.userId}`)
    const token = await tokenFor(api, OLD)

    expect([200, 204]).toContain((await change({ api, owner, admin })).status)

    expect(await api.db.query(sql`select 1 from reset_token`)).toHaveLength(0)
    for (const email of [OLD, NEW]) expect((await set(api, email, token)).errors[0]?.code).toBe('reset-token-invalid')
    // Restoring account and address does not restore it.
    await api.db.execute(sql`update app_user set email = ${OLD}, enabled = true where id = ${owner.userId}`)
    expect((await set(api, OLD, token)).errors[0]?.code).toBe('reset-token-invalid')
  })

  test('is kept when only a name changes', async () => {
    const api = await testApi()
    const owner = await api.withPermissions(['ROLE_10', 'ROLE_11'])
    await api.db.execute(sql`update app_user set email = ${OLD} where id = ${owner.userId}`)
    const token = await tokenFor(api, OLD)
    const change = await owner.call(updateSelf, { body: { ...person, email: 'Maria@Example.org', password: PASSWORD } })
    expect(change.status).toBe(204)
    expect((await set(api, OLD, token)).status).toBe(204)
  })

  test('is not sent to an address that the account no longer has', async () => {
    const api = await testApi()
    const owner = await withAddress(api, OLD)
    expect((await api.anyone.call(resetPassword, { body: { email: OLD } })).status).toBe(204)
    await api.db.execute(sql`update app_user set email = ${NEW} where id = ${owner.userId}`)
    await api.runJobs()
    expect(api.sent).toEqual([])
    expect(await api.db.query(sql`select 1 from reset_token`)).toHaveLength(0)
  })

  test('excludes a concurrent password change', async () => {
    const api = await testApi()
    const owner = await api.withPermissions(['ROLE_10', 'ROLE_11'])
    await api.db.execute(sql`update app_user set email = ${OLD} where id = ${owner.userId}`)
    const token = await tokenFor(api, OLD)
    const both = await Promise.all([
      owner.call(preferences.updatePassword, { body: { password: PASSWORD, newPassword: 'Wlasne-haslo-1' } }),
      set(api, OLD, token, 'Z-tokenu-haslo-1'),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 422])
    expect(await api.db.query(sql`select 1 from reset_token`)).toHaveLength(0)
  })
})

test('sends one mail for each account of a shared address, naming the account', async () => {
  const api = await testApi()
  const [one, other, disabled] = [
    await withAddress(api, 'dyzurka@example.org'),
    await withAddress(api, 'Dyzurka@example.org'),
    await withAddress(api, 'dyzurka@example.org'),
  ]
  await api.db.execute(sql`update app_user set enabled = false where id = ${disabled.userId}`)
  const order = () => api.anyone.call(resetPassword, { body: { email: 'dyzurka@example.org' } })
  const orders = await Promise.all(Array.from({ length: 8 }, order))
  expect(orders.map(({ status }) => status)).toEqual(orders.map(() => 204))
  await api.runJobs()

  // Three per account, also of concurrent requests.
  expect(api.sent).toHaveLength(6)
  const mailsOf = ({ username }: { username: string }) => api.sent.filter(({ text }) => text.includes(username))
  expect([mailsOf(one), mailsOf(other), mailsOf(disabled)].map(({ length }) => length)).toEqual([3, 3, 0])
  const token = /^[\w-]{43}$/m.exec(mailsOf(other)[0]?.text ?? '')?.[0] ?? ''
  expect((await set(api, 'dyzurka@example.org', token)).status).toBe(204)
  for (const { username, status } of [
    { ...one, status: 401 },
    { ...other, status: 200 },
  ])
    expect((await api.anyone.call(login, { body: { username, password: 'Nowe-haslo-1' } })).status).toBe(status)
})

test('the mail names account, token, validity and page, in the language of the request', async () => {
  const api = await testApi({ publicUrl: 'https://portal.example.org' })
  const { username } = await withAddress(api, 'maria+wim@example.org')
  const headers = { 'accept-language': 'en' }
  await api.anyone.call(resetPassword, { body: { email: 'maria+wim@example.org' }, headers })
  await api.runJobs()
  expect(api.sent).toMatchObject([{ to: 'maria+wim@example.org', subject: 'Rogatka: a new password' }])
  const token = /^[\w-]{43}$/m.exec(api.sent[0]?.text ?? '')?.[0]
  expect(api.sent[0]?.text).toBe(
    [
      `Someone, probably you, requested a new password for ${username} in the Rogatka portal.`,
      `Token (valid for 30 minutes, once):\n${token}`,
      'If it was not you, do nothing: the password stays as it is.',
      'Set the new password here:',
      'https://portal.example.org/reset-password/reset/maria%2Bwim%40example.org',
    ].join('\n\n'),
  )
})

test('a token is valid for thirty minutes, as is the limit of mails; its use deletes the others', async () => {
  const api = await testApi()
  const user = await withAddress(api, 'maria@example.org')
  const first = await tokenFor(api, 'maria@example.org')
  for (let i = 0; i < 3; i++) await tokenFor(api, 'maria@example.org')
  expect(api.sent).toHaveLength(3)
  const later = (minutes: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + minutes * 60_000)
  }
  later(29)
  await tokenFor(api, 'maria@example.org')
  expect(api.sent).toHaveLength(3)
  expect((await set(api, 'maria@example.org', first)).status).toBe(204)
  const { body } = await api.anyone.call(login, { body: { username: user.username, password: 'Nowe-haslo-1' } })
  expect((await api.client(body.token).call(readSelf)).body.mustChangePassword).toBe(false)
  const other = /^[\w-]{43}$/m.exec(api.sent[1]?.text ?? '')?.[0] ?? ''
  expect((await set(api, 'maria@example.org', other)).errors[0]?.code).toBe('reset-token-invalid')
  later(2)
  await tokenFor(api, 'maria@example.org')
  expect(api.sent).toHaveLength(4)
})

test('ends a lock-out, and checks the length for the role', async () => {
  const api = await testApi({ passwordMinLength: 8 })
  const user = await withAddress(api, 'maria@example.org')
  const signIn = (password: string) => api.anyone.call(login, { body: { username: user.username, password } })
  for (let i = 0; i < 5; i++) expect((await signIn('wrong')).status).toBe(401)
  expect((await signIn(PASSWORD)).status).toBe(429)
  const token = await tokenFor(api, 'maria@example.org')
  const tooShort = await set(api, 'maria@example.org', token, 'Seven-7')
  expect([tooShort.status, tooShort.errors[0]?.code]).toEqual([422, 'password-too-short'])
  await api.db.execute(sql`update user_role set role_id = 8 where user_id = ${user.userId}`)
  const forAdministrator = await set(api, 'maria@example.org', token, 'Elevenchars')
  expect(forAdministrator.errors[0]?.code).toBe('password-for-admin-cannot-be-shorter-than-12')
  expect((await set(api, 'maria@example.org', token, 'Twelve-chars')).status).toBe(204)
  expect((await signIn('Twelve-chars')).status).toBe(200)
})

test('deletes expired tokens', async () => {
  const api = await testApi()
  await withAddress(api, 'maria@example.org')
  await tokenFor(api, 'maria@example.org')
  const tokensAfter = async (minutes: number) => {
    await deleteExpiredResetTokens(api.db, new Date(api.clock.now.getTime() + minutes * 60_000))
    return (await api.db.query(sql`select 1 from reset_token`)).length
  }
  expect([await tokensAfter(30), await tokensAfter(31)]).toEqual([1, 0])
})

test('does not store the token in plain text', async () => {
  const api = await testApi()
  await withAddress(api, 'maria@example.org')
  const token = await tokenFor(api, 'maria@example.org')
  const stored = await api.db.query(sql`select * from outbox`)
  const tokens = await api.db.query(sql`select encode(token_hash, 'hex') as hash from reset_token`)
  expect(token).toHaveLength(43)
  expect(JSON.stringify([stored, tokens])).not.toContain(token)
})
