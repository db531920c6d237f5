import { login, ping, resetPassword, setPassword } from '@rogatka/contract/session.ts'
import { expect, test } from 'vitest'
import { type TestApi, testApi } from '../core/testing.ts'
import { removeDeadSessions } from './queries.ts'

const withAddress = async (api: TestApi, email: string) => {
  const user = await api.as('Stat')
  await api.sql`update app_user set email = ${email} where id = ${user.userId}`
  return user
}

/** Orders a mail for the address and answers the token in it. */
const tokenFor = async (api: TestApi, email: string) => {
  await api.anyone.call(resetPassword, { body: { email } })
  await api.runJobs()
  return /^[\w-]{43}$/m.exec(api.sent.at(-1)?.text ?? '')?.[0] ?? ''
}

const set = (api: TestApi, email: string, token: string, password = 'Nowe-haslo-1') =>
  api.anyone.call(setPassword, { body: { email, token, password } })

test('the mail brings a token that sets the password, once, and ends every session', async () => {
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

test('reuse, expiry, guessing and the address of another are all refused alike', async () => {
  const api = await testApi()
  await withAddress(api, 'maria@example.org')
  await withAddress(api, 'jan@example.org')
  const used = await tokenFor(api, 'jan@example.org')
  expect((await set(api, 'jan@example.org', used)).status).toBe(204)
  const token = await tokenFor(api, 'maria@example.org')

  const refused = [
    await set(api, 'jan@example.org', used, 'Inne-haslo-1'),
    // Too short a password is not looked at before the token is known to be one.
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

test('of two who use a token at once one succeeds', async () => {
  const api = await testApi()
  await withAddress(api, 'maria@example.org')
  const token = await tokenFor(api, 'maria@example.org')
  const both = await Promise.all([1, 2].map((n) => set(api, 'maria@example.org', token, `Nowe-haslo-${n}`)))
  expect(both.map(({ status }) => status).sort()).toEqual([204, 422])
})

test('a password set by a token is in the audit log, with the address that it came from and no secret', async () => {
  const api = await testApi()
  const user = await withAddress(api, 'maria@example.org')
  const token = await tokenFor(api, 'maria@example.org')
  await set(api, 'maria@example.org', token)
  const lines = await api.sql`select user_id, ip, action, subject, before, after from audit`
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

test('a password too short keeps the token for another try', async () => {
  const api = await testApi()
  await withAddress(api, 'maria@example.org')
  const token = await tokenFor(api, 'maria@example.org')
  expect((await set(api, 'maria@example.org', token, 'short')).errors[0]?.path).toBe('password')
  expect((await set(api, 'maria@example.org', token)).status).toBe(204)
})

test('any well-formed address is answered 204, and only a known one gets mail, at most three', async () => {
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

test('a token whose time is over is cleared away', async () => {
  const api = await testApi()
  await withAddress(api, 'maria@example.org')
  await tokenFor(api, 'maria@example.org')
  await removeDeadSessions(api.sql, api.clock.now)
  expect(await api.sql`select 1 from reset_token`).toHaveLength(1)
  await removeDeadSessions(api.sql, new Date(api.clock.now.getTime() + 31 * 60_000))
  expect(await api.sql`select 1 from reset_token`).toHaveLength(0)
})

test('neither the outbox nor the queue ever holds the token', async () => {
  const api = await testApi()
  await withAddress(api, 'maria@example.org')
  const token = await tokenFor(api, 'maria@example.org')
  const stored = await api.sql`select * from outbox`
  const tokens = await api.sql`select encode(token_hash, 'hex') as hash from reset_token`
  expect(token).toHaveLength(43)
  expect(JSON.stringify([stored, tokens])).not.toContain(token)
})
