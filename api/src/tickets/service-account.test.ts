import * as endpoints from '@rogatka/contract/tickets.ts'
import { expect, test } from 'vitest'
import { decrypt } from '../core/secrets.ts'
import { sql } from '../core/statement.ts'
import { type TestApi, testApi } from '../testing/test-api.ts'
import { readTokenState } from './account-queries.ts'
import { ORGANIZATION, portalWithZammad } from './testing-zammad.ts'

async function flagged(api: TestApi, email: string) {
  const user = await api.as('Tickets')
  await api.db.execute(sql`update app_user set ticket = true, email = ${email} where id = ${user.userId}`)
  return user
}

test.each(['token', 'name'] as const)(
  'creates an account and a token for a user with the ticket flag, returned by %s',
  async (answer) => {
    const { api, zammad, secretKey, minute, readAgain } = await portalWithZammad()
    zammad.mood.tokenAnswer = answer
    const user = await flagged(api, 'ewa@example.org')
    await minute()
    expect(zammad.users.at(-1)).toMatchObject({
      login: 'ewa@example.org',
      firstname: 'Test',
      roles: ['Agent', 'Customer'],
      group_ids: { 1: ['full'] },
      organization_id: 11,
    })
    const { body } = await user.call(endpoints.readToken)
    expect(body).toMatchObject({
      stored: true,
      email: 'ewa@example.org',
      expiresAt: expect.stringMatching(/^2028-10-20/),
    })
    const [row] = await api.db.query<{ token: Buffer; password: Buffer | null }>(sql`
    select token_secret as token, password_secret as password from ticket_account where user_id = ${user.userId}`)
    expect(row?.password).toBeNull()
    expect(row?.token.includes('token-of')).toBe(false)
    expect(decrypt(secretKey, row?.token as Buffer, `ticket token of user ${user.userId}`)).toBe(
      'token-of-ewa@example.org',
    )

    // Tickets are then created in their name, and in the portal's once the token is revoked.
    const add = async () => (await user.call(endpoints.add, { body: { description: 'x' } as never })).body
    await add()
    await minute()
    expect(zammad.tickets.at(-1)).toMatchObject({ by: 'ewa@example.org', organization: ORGANIZATION })
    zammad.tokens.delete('token-of-ewa@example.org')
    const second = await add()
    await minute()
    expect(zammad.tickets.at(-1)).toMatchObject({ by: 'rogatka' })
    expect((await readAgain(second.id)).serviceNumber).not.toBeNull()
  },
)

test('adopts an account after a lost response', async () => {
  const { api, zammad, minute, messages, pass } = await portalWithZammad()
  const user = await flagged(api, 'ewa@example.org')
  zammad.mood.loseAnswerOf = /^POST \/users$/
  await minute()
  expect(await messages('ticket-account')).toMatchObject([
    { recipient: 'ewa@example.org', lastError: 'HTTP error! status: 500 (Lost)', sentAt: null },
  ])
  zammad.mood.loseAnswerOf = null
  zammad.mood.tokenAnswer = 'none'
  await minute()
  expect((await messages('ticket-account'))[0]?.lastError).toBe('Token is missing in the response')
  zammad.mood.tokenAnswer = 'token'
  pass(1_440)
  await minute()
  expect(zammad.users.filter(({ email }) => email === 'ewa@example.org')).toHaveLength(1)
  // Their session has expired meanwhile.
  expect(await readTokenState(api.db, user.userId)).toMatchObject({ stored: true, email: 'ewa@example.org' })

  const other = await flagged(api, 'ola@example.org')
  zammad.mood.tokenAnswer = 'none'
  for (let round = 0; round < 3; round++) await minute()
  expect((await messages('ticket-account'))[0]?.lastError).toBe('Token is missing in the response')
  expect((await other.call(endpoints.readToken)).body).toEqual({ stored: false, email: null, expiresAt: null })
  // Each attempt creates a remote token: once a day, revoking the previous one.
  const left = () => [...zammad.tokens.keys()].filter((token) => token.includes('ola@'))
  expect(left()).toHaveLength(1)
  pass(1_441)
  await minute()
  expect(zammad.requests.filter((request) => request === 'POST /user_access_token')).toHaveLength(4)
  expect(left()).toHaveLength(1)
})

test('stores a user’s token encrypted and never returns it', async () => {
  const { api, secretKey } = await portalWithZammad()
  const user = await api.as('Tickets')
  const body = { token: 'moj-tajny-token', email: 'ja@example.org' }
  const saved = await user.call(endpoints.saveToken, { body })
  expect(saved.body).toEqual({ stored: true, email: 'ja@example.org', expiresAt: '2028-10-20T08:00:00.000Z' })
  expect((await user.call(endpoints.readToken)).body).toEqual(saved.body)
  const [row] = await api.db.query<{ token: Buffer }>(sql`select token_secret as token from ticket_account`)
  expect(decrypt(secretKey, row?.token as Buffer, `ticket token of user ${user.userId}`)).toBe('moj-tajny-token')
  const everything = await api.db.query(sql`select after::text from audit`)
  expect(JSON.stringify(everything)).not.toContain('moj-tajny-token')
  const faults = (await user.call(endpoints.saveToken, { body: { token: ' ', email: '' } })).errors
  expect(faults.map(({ path, code }) => [path, code])).toEqual([
    ['token', 'service-token-required'],
    ['email', 'user-email-required'],
  ])
})

test('queues nothing without a ticket service, and stores no token without a key', async () => {
  const api = await testApi()
  const user = await flagged(api, 'ewa@example.org')
  await user.call(endpoints.add, { body: { description: 'x' } as never })
  await api.app.jobs.recurring.find(({ name }) => name === 'sync-tickets')?.work()
  expect(await api.db.query(sql`select from outbox`)).toHaveLength(0)
  const refused = await user.call(endpoints.saveToken, { body: { token: 'x', email: 'ja@example.org' } })
  expect(refused.errors).toMatchObject([{ code: 'tokens-cannot-be-kept' }])
})
