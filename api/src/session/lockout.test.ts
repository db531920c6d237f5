import { updatePassword, updateSelf } from '@rogatka/contract/preferences.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { login, ping } from '@rogatka/contract/session.ts'
import { describe, expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { PASSWORD, type TestApi, testApi } from '../testing/test-api.ts'

const NEW_PASSWORD = 'Nowe-haslo-2026'
const account = { firstName: 'Maria', lastName: 'Zawadzka', email: 'maria@example.org', phoneNumber: '600-100-200' }

const signIn = (api: TestApi, username: string, password: string, ip = '127.0.0.1') =>
  api.anyone.call(login, { body: { username, password }, headers: { 'x-forwarded-for': ip } })

describe('login lock-out', () => {
  test('counts a username case-insensitively', async () => {
    const api = await testApi()
    const { username } = await api.as('Stat')
    const spellings = [username, username.toUpperCase(), `P${username.slice(1)}`, username, username.toUpperCase()]
    for (const spelling of spellings) expect((await signIn(api, spelling, 'wrong')).status).toBe(401)
    for (const spelling of [username, username.toUpperCase()])
      expect((await signIn(api, spelling, PASSWORD)).status).toBe(429)
  })

  test('ends fifteen minutes after the first of the failures, in whole seconds', async () => {
    const api = await testApi()
    const { username } = await api.as('Stat')
    const start = api.clock.now.getTime()
    const at = (ms: number) => {
      api.clock.now = new Date(start + ms)
    }
    for (let i = 0; i < 5; i++) {
      at(i * 1_000)
      expect((await signIn(api, username, 'wrong')).status).toBe(401)
    }
    const retryAfter = async () => {
      const { status, headers } = await signIn(api, username, PASSWORD)
      return [status, headers['retry-after']]
    }
    at(60_000)
    expect(await retryAfter()).toEqual([429, '840'])
    at(899_999)
    expect(await retryAfter()).toEqual([429, '1'])
    // The refused attempts do not count.
    at(900_000)
    expect(await retryAfter()).toEqual([200, undefined])
  })

  test('deletes failures after half an hour', async () => {
    const api = await testApi()
    expect((await signIn(api, 'nobody', 'wrong')).status).toBe(401)
    const start = api.clock.now.getTime()
    const failuresAfter = async (minutes: number) => {
      api.clock.now = new Date(start + minutes * 60_000)
      await api.app.jobs.recurring.find(({ name }) => name === 'remove-dead-sessions')?.work()
      return (await api.db.query(sql`select from login_failure`)).length
    }
    expect([await failuresAfter(30), await failuresAfter(31)]).toEqual([1, 0])
  })

  test('counts an IPv6 caller by its /64 network', async () => {
    const api = await testApi({ trustProxy: true, addressLoginFailures: 20 })
    const { username } = await api.as('Stat')
    for (let i = 1; i <= 20; i++)
      expect((await signIn(api, `guess${i}`, 'wrong', `2001:db8:1:2::${i.toString(16)}`)).status).toBe(401)

    expect((await signIn(api, username, PASSWORD, '2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await signIn(api, username, PASSWORD, '2001:db8:1:3::1')).status).toBe(200)
  })

  test('counts IPv4 clients separately, also in IPv6 notation', async () => {
    const api = await testApi({ trustProxy: true, addressLoginFailures: 20 })
    const { username } = await api.as('Stat')
    for (let i = 0; i < 20; i++)
      expect((await signIn(api, `guess${i}`, 'wrong', i % 2 ? '192.0.2.1' : '::ffff:192.0.2.1')).status).toBe(401)

    expect((await signIn(api, username, PASSWORD, '192.0.2.1')).status).toBe(429)
    expect((await signIn(api, username, PASSWORD, '192.0.2.2')).status).toBe(200)
  })
})

describe('client address behind a proxy', () => {
  const guess = async (api: TestApi, addresses: string[]) => {
    const statuses: number[] = []
    for (const [i, address] of addresses.entries())
      statuses.push((await signIn(api, `guess${i}`, 'wrong', address)).status)
    return statuses
  }
  const locked = [...Array(20).fill(401), 429]
  const times = (count: number, address: (i: number) => string) => Array.from({ length: count }, (_, i) => address(i))

  test('is counted without its port', async () => {
    const api = await testApi({ trustProxy: true, addressLoginFailures: 20 })
    expect(
      await guess(
        api,
        times(21, (i) => `192.0.2.6:${1001 + i}`),
      ),
    ).toEqual(locked)
  })

  test('is counted once in every notation', async () => {
    const api = await testApi({ trustProxy: true, addressLoginFailures: 20 })
    const spellings = [
      '2001:db8:cc:dd::1',
      '2001:DB8:CC:DD::2',
      '2001:0db8:00cc:00dd::3',
      '[2001:db8:cc:dd:0:0:0:4]:99',
    ]
    expect(
      await guess(
        api,
        times(21, (i) => spellings[i % 4] as string),
      ),
    ).toEqual(locked)
  })

  test('is counted as IPv4 if it is IPv4-mapped IPv6', async () => {
    const api = await testApi({ trustProxy: true, addressLoginFailures: 20 })
    const mapped = ['::ffff:0505:0505', '5.5.5.5', '::FFFF:5.5.5.5']
    expect(
      await guess(
        api,
        times(21, (i) => mapped[i % 3] as string),
      ),
    ).toEqual(locked)
  })

  test('is that of the proxy if the header has none', async () => {
    const api = await testApi({ trustProxy: true, addressLoginFailures: 20 })
    const user = await api.as('Stat')
    expect((await signIn(api, user.username, PASSWORD, 'a'.repeat(5_000))).status).toBe(200)
    expect((await signIn(api, user.username, PASSWORD, '2001:DB8::1')).status).toBe(200)
    const ips = await api.db.query<{ ip: string }>(sql`select ip from session`)
    expect(ips.map(({ ip }) => ip).filter((ip) => ip !== '127.0.0.1')).toEqual(['2001:db8::1'])
    expect(
      await guess(
        api,
        times(21, (i) => `garbage ${i}`),
      ),
    ).toEqual(locked)
  })
})

describe('current password', () => {
  type User = Awaited<ReturnType<TestApi['as']>>
  const calls = {
    'update-password': (user: User, password: string) =>
      user.call(updatePassword, { body: { password, newPassword: NEW_PASSWORD } }),
    'update-self': (user: User, password: string) => user.call(updateSelf, { body: { ...account, password } }),
  }

  test.each(Object.entries(calls))('wrong ones lock %s, and are logged and audited', async (_, attempt) => {
    const api = await testApi({ logLevel: 'info' })
    const other = await testApi({}, api)
    const user = await api.withPermissions(['ROLE_10', 'ROLE_11'])
    const elsewhere = { ...user, call: other.client(user.token).call }

    for (const process of [user, elsewhere, user, elsewhere, user]) {
      const { status, errors } = await attempt(process, 'zgadywane')
      expect([status, errors[0]?.path, errors[0]?.code]).toEqual([422, 'password', 'wrong-current-password'])
    }
    for (const process of [user, elsewhere]) {
      const locked = await attempt(process, PASSWORD)
      expect([locked.status, locked.errors[0]?.code]).toEqual([429, 'too-many-login-attempts'])
      expect(locked.headers['retry-after']).toBe('900')
    }
    // The session stays: a guess must not sign its user out.
    expect((await user.call(ping)).status).toBe(204)
    expect((await signIn(api, user.username, PASSWORD)).status).toBe(429)

    const audited = await api.db.query(sql`select user_id, ip, action, subject, before, after from audit`)
    expect([...audited]).toEqual(
      Array(5).fill({
        user_id: user.userId,
        ip: '127.0.0.1',
        action: 'current-password-refused',
        subject: user.username,
        before: null,
        after: null,
      }),
    )
    const lines = api.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'refused')
    expect(lines.slice(0, 4)).toMatchObject([
      ...Array(3).fill({ status: 422, code: 'wrong-current-password', userId: user.userId, ip: '127.0.0.1' }),
      { status: 429, code: 'too-many-login-attempts', userId: user.userId },
    ])
    expect(api.logged.join('')).not.toContain('zgadywane')
  })

  test('concurrent ones are checked no more often than the lock-out allows', async () => {
    const api = await testApi()
    const user = await api.withPermissions(['ROLE_10', 'ROLE_11'])
    const attempts = Array.from({ length: 12 }, (_, i) =>
      calls[i % 2 ? 'update-self' : 'update-password'](user, 'wrong'),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(5)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(7)
  })

  test('failures count together with those of the login, and a right one resets them', async () => {
    const api = await testApi()
    const user = await api.withPermissions(['ROLE_10', 'ROLE_11'])
    for (let i = 0; i < 2; i++) expect((await signIn(api, user.username, 'wrong')).status).toBe(401)
    for (let i = 0; i < 2; i++) expect((await calls['update-self'](user, 'wrong')).status).toBe(422)
    expect((await calls['update-self'](user, PASSWORD)).status).toBe(204)
    for (let i = 0; i < 5; i++) expect((await calls['update-self'](user, 'wrong')).status).toBe(422)
    expect((await calls['update-self'](user, PASSWORD)).status).toBe(429)
  })

  test('is wrong if it was changed concurrently', async () => {
    const api = await testApi()
    const user = await api.withPermissions(['ROLE_10', 'ROLE_11'])
    const answers = await Promise.all([
      calls['update-password'](user, PASSWORD),
      user.call(updatePassword, { body: { password: PASSWORD, newPassword: 'Inne-haslo-2026' } }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
    expect((await user.call(readSelf)).status).toBe(200)
  })
})
