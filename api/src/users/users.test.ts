import { administratorPermissions } from '@rogatka/contract/access.ts'
import type { UserOrder } from '@rogatka/contract/options.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { login, ping } from '@rogatka/contract/session.ts'
import * as endpoints from '@rogatka/contract/users.ts'
import { describe, expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { PASSWORD, type TestApi, testApi } from '../testing/test-api.ts'
import { ADMINISTRATOR, ANALYST, OPERATOR, person } from './testing.ts'

describe('adding a user', () => {
  test('creates one who can sign in, with a +48 phone prefix', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)

    const added = await admin.call(endpoints.add, { body: { ...person('m.zawadzka', ANALYST), password: 'tajne-1' } })

    expect(added.status).toBe(200)
    expect(added.body).toMatchObject({
      username: 'm.zawadzka',
      phoneNumber: '+48600100200',
      phoneNumberDir: '+48',
      roles: [{ id: ANALYST, name: 'Analityk' }],
      enabled: true,
      hasFactor: false,
      lastLogin: null,
      manageable: true,
    })
    const signedIn = await api.anyone.call(login, { body: { username: 'm.zawadzka', password: 'tajne-1' } })
    expect(signedIn.status).toBe(200)
    const seen = await admin.call(endpoints.read, { params: { id: added.body.id } })
    expect(seen.body.lastLogin).toBe(api.clock.now.toISOString())
  })

  test('names every missing or invalid field', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const { status, errors } = await admin.call(endpoints.add, {
      body: { username: ' ', email: 'not-an-address', phoneNumber: 'abc' } as never,
    })
    expect(status).toBe(400)
    expect(Object.fromEntries(errors.map(({ path, code }) => [path, code]))).toEqual({
      username: 'required-parameter-missing',
      firstName: 'required-parameter-missing',
      lastName: 'required-parameter-missing',
      email: 'incorrect-email-address',
      phoneNumber: 'incorrect-phone-number',
      roles: 'required-parameter-missing',
      password: 'user-password-required',
    })
  })

  test('distinguishes too long and invalid fields from missing ones', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const long = 'x'.repeat(201)
    const { errors } = await admin.call(endpoints.add, {
      body: {
        ...person(long, ANALYST),
        firstName: 7,
        lastName: null,
        email: `${long}@example.org`,
        phoneNumber: '1'.repeat(41),
        roles: [ANALYST, OPERATOR],
        password: long,
        description: long,
      } as never,
    })
    expect(errors.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'username text-too-long',
      'firstName invalid-value',
      'lastName required-parameter-missing',
      'email text-too-long',
      'phoneNumber text-too-long',
      'phoneNumber incorrect-phone-number',
      'roles list-too-long',
      'description text-too-long',
      'password text-too-long',
    ])
  })

  test('refuses a username taken in another case, and a short password', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const add = (username: string, password: string, roleId = ANALYST) =>
      admin.call(endpoints.add, { body: { ...person(username, roleId), password } })
    await add('Kowalski', 'tajne-1')

    const duplicate = await add('kowalski', 'tajne-1')
    expect([duplicate.status, duplicate.errors[0]?.path, duplicate.errors[0]?.code]).toEqual([
      409,
      'username',
      'username-taken',
    ])
    const short = await add('nowak', 'short')
    expect([short.status, short.errors[0]?.path]).toEqual([422, 'password'])
  })

  test('requires 12 characters for an administrator', async () => {
    const api = await testApi()
    const admin = await api.withPermissions([...ADMINISTRATOR, ...(await allPermissions(api))])
    const add = (password: string) => admin.call(endpoints.add, { body: { ...person('a.nowak', 8), password } })
    expect((await add('Elevenchars')).errors[0]?.code).toBe('password-for-admin-cannot-be-shorter-than-12')
    expect((await add('Twelve-chars')).status).toBe(200)
  })
})

const allPermissions = async (api: TestApi) => {
  const [row] = await api.db.query<{ all: string[] }>(sql`select permissions as all from role where id = 8`)
  return row?.all ?? []
}

describe('the fields of a user', () => {
  const sent = {
    ...person('j.nowak', ANALYST),
    phoneNumber: '+49 170 1234-567',
    enabled: false,
    ticket: true,
    description: ' Zastępca ',
    organization: 'GDDKiA',
    sendUserLogsToServer: true,
  }

  test('are stored and returned; those absent from a change are cleared', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const { body: added } = await admin.call(endpoints.add, { body: { ...sent, password: PASSWORD } })
    const params = { id: added.id }
    const stored = {
      ...sent,
      id: added.id,
      phoneNumber: '+491701234567',
      phoneNumberDir: '+49',
      description: 'Zastępca',
      company: null,
      roles: [{ id: ANALYST, name: 'Analityk' }],
      passwordUpdatedAt: api.clock.now.toISOString(),
      provider: null,
      linkedProvider: null,
      hasFactor: false,
      lastLogin: null,
      manageable: true,
    }
    expect(added).toEqual({ ...stored, version: expect.any(Number) })
    const change = async (values: object) => {
      const { body } = await admin.call(endpoints.change, { params, body: { ...sent, ...values } })
      expect((await admin.call(endpoints.read, { params })).body).toEqual(body)
      return body
    }
    const other = { username: 'a.nowak', firstName: 'Anna', lastName: 'Lis', email: 'anna@example.org' }
    expect(await change({ ...other, company: ' Drogi ' })).toEqual({
      ...stored,
      ...other,
      company: 'Drogi',
      version: added.version + 1,
    })
    const least = { enabled: undefined, ticket: undefined, description: undefined, phoneNumber: '600100200' }
    expect(await change({ ...least, username: 'j.nowak' })).toEqual({
      ...stored,
      phoneNumber: '+48600100200',
      phoneNumberDir: '+48',
      enabled: true,
      ticket: false,
      description: null,
      version: added.version + 2,
    })
  })

  test('include a role by its id or as an object; an unknown one is refused', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const add = (role: number | { id: number }) =>
      admin.call(endpoints.add, { body: { ...sent, roles: [role], password: PASSWORD } })
    const unknown = await add(9_999)
    expect([unknown.status, unknown.errors[0]?.path, unknown.errors[0]?.code]).toEqual([422, 'roles', 'role-not-found'])
    const { body } = await add({ id: ANALYST })
    expect(body.roles).toEqual([{ id: ANALYST, name: 'Analityk' }])
  })

  test('of an account without telephone have the Polish prefix', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const { body } = await admin.call(endpoints.read, { params: { id: admin.userId } })
    expect([body.phoneNumber, body.phoneNumberDir, body.ticket]).toEqual([null, '+48', false])
  })

  test('keep a second role unless the first changes; an account without role gets one', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const { body: user } = await admin.call(endpoints.add, { body: { ...sent, password: PASSWORD } })
    await api.db.execute(sql`insert into user_role (user_id, role_id, place) values (${user.id}, ${OPERATOR}, 2)`)
    const roles = async (roleId: number) => {
      const { body } = await admin.call(endpoints.change, {
        params: { id: user.id },
        body: person(sent.username, roleId),
      })
      return body.roles.map(({ id }) => id)
    }
    expect(await roles(ANALYST)).toEqual([ANALYST, OPERATOR])
    await api.db.execute(sql`delete from user_role where user_id = ${user.id}`)
    expect(await roles(ANALYST)).toEqual([ANALYST])
  })
})

test('an unknown user is neither returned, changed nor deleted', async () => {
  const api = await testApi()
  const admin = await api.withPermissions(ADMINISTRATOR)
  const user = await api.as('Stat')
  const params = { id: 9_999 }
  for (const { status, errors } of [
    await admin.call(endpoints.read, { params }),
    await admin.call(endpoints.change, { params, body: person('x.none', ANALYST) }),
    await admin.call(endpoints.bulkDelete, { body: [user.userId, 9_999] }),
  ])
    expect([status, errors[0]?.code]).toEqual([404, 'user-not-found'])
  expect((await user.call(ping)).status).toBe(204)
})

describe('changing a user', () => {
  test('keeps the password if it is null, otherwise ends the user’s sessions', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const user = await api.as('Stat')
    const { roles } = (await admin.call(endpoints.read, { params: { id: user.userId } })).body
    const change = (password: string | null) =>
      admin.call(endpoints.change, {
        params: { id: user.userId },
        body: { ...person(user.username, roles[0]?.id as number), password },
      })

    expect((await change(null)).status).toBe(200)
    expect((await user.call(ping)).status).toBe(204)
    await change('inne-haslo')
    expect((await user.call(ping)).status).toBe(401)
    const again = await api.anyone.call(login, { body: { username: user.username, password: 'inne-haslo' } })
    const self = await api.client(again.body.token).call(readSelf)
    expect(self.body.mustChangePassword).toBe(true)
  })

  test('checks the length of a new password, which a new administrator needs', async () => {
    const api = await testApi()
    const admin = await api.withPermissions([...ADMINISTRATOR, ...(await allPermissions(api))])
    const user = await api.as('Stat')
    const change = async (roleId: number, password: string | null) => {
      const body = { ...person(user.username, roleId), password }
      const { status, errors } = await admin.call(endpoints.change, { params: { id: user.userId }, body })
      return [status, errors[0]?.path, errors[0]?.code]
    }
    const tooShort = [422, 'password', 'password-for-admin-cannot-be-shorter-than-12']
    expect(await change(ANALYST, 'short')).toEqual([422, 'password', 'password-too-short'])
    expect(await change(8, null)).toEqual(tooShort)
    expect(await change(8, 'Elevenchars')).toEqual(tooShort)
    expect((await admin.call(endpoints.read, { params: { id: user.userId } })).body.roles[0]?.id).not.toBe(8)
    expect(await change(8, 'Twelve-chars')).toEqual([200, undefined, undefined])
    expect(await change(8, null)).toEqual([200, undefined, undefined])
  })

  test('ends sessions with a new role, except the one that changes itself', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const user = await api.as('Stat')
    const elsewhere = api.client(
      (await api.anyone.call(login, { body: { username: admin.username, password: PASSWORD } })).body.token,
    )
    const [role] = await api.db.query<{ id: number }>(sql`
      insert into role (name, permissions) values ('Drugi', ${ADMINISTRATOR}) returning id`)
    const change = async ({ userId, username }: { userId: number; username: string }, roleId: number) => {
      const { body } = await admin.call(endpoints.change, { params: { id: userId }, body: person(username, roleId) })
      return body.roles[0]?.id
    }
    expect(await change(user, ANALYST)).toBe(ANALYST)
    expect((await user.call(ping)).status).toBe(401)
    expect(await change(admin, role?.id as number)).toBe(role?.id)
    expect((await elsewhere.call(ping)).status).toBe(401)
    expect((await admin.call(ping)).status).toBe(204)
  })

  test('deletes reset tokens with a new password or address, when disabled and when deleted', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const { body: user } = await admin.call(endpoints.add, {
      body: { ...person('x.token', ANALYST), password: PASSWORD },
    })
    const tokensAfter = async (change: () => Promise<{ status: number }>) => {
      await api.db.execute(sql`
        insert into reset_token (token_hash, user_id, email, created_at)
        values ('a', ${user.id}, 'maria@example.org', ${api.clock.now}::timestamptz) on conflict do nothing`)
      expect([200, 204]).toContain((await change()).status)
      return (await api.db.query(sql`select from reset_token`)).length
    }
    const change = (values: object) => () =>
      admin.call(endpoints.change, { params: { id: user.id }, body: { ...person('x.token', ANALYST), ...values } })
    expect(await tokensAfter(change({ lastName: 'Nowa', email: 'Maria@example.org' }))).toBe(1)
    expect(await tokensAfter(change({ password: 'Nowe-haslo-1' }))).toBe(0)
    expect(await tokensAfter(change({ enabled: false }))).toBe(0)
    expect(await tokensAfter(change({ email: 'anna@example.org' }))).toBe(0)
    expect(await tokensAfter(change({ email: 'anna@example.org' }))).toBe(1)
    expect(await tokensAfter(() => admin.call(endpoints.bulkDelete, { body: [user.id, user.id] }))).toBe(0)
    expect(await api.db.query(sql`select from audit where action = 'user-deleted'`)).toHaveLength(1)
  })

  test('sets the organization, and keeps it and the log setting if absent', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const sent = {
      ...person('x.org', ANALYST),
      password: PASSWORD,
      organization: ' GDDKiA ',
      sendUserLogsToServer: true,
    }
    const { body } = await admin.call(endpoints.add, { body: sent })
    expect(body).toMatchObject({ organization: 'GDDKiA', sendUserLogsToServer: true })
    const change = async (values: object) => {
      const next = { ...person('x.org', ANALYST), ...values }
      return (await admin.call(endpoints.change, { params: { id: body.id }, body: next })).body
    }
    expect(await change({})).toMatchObject({ organization: 'GDDKiA', sendUserLogsToServer: true })
    expect(await change({ organization: '', sendUserLogsToServer: false })).toMatchObject({
      organization: null,
      sendUserLogsToServer: false,
    })
  })

  test('refuses an outdated version', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const user = await api.as('Stat')
    const before = (await admin.call(endpoints.read, { params: { id: user.userId } })).body
    const save = (lastName: string) =>
      admin.call(endpoints.change, {
        params: { id: user.userId },
        body: { ...person(user.username, before.roles[0]?.id as number), lastName, version: before.version },
      })
    expect((await save('First')).status).toBe(200)
    const second = await save('Second')
    expect([second.status, second.errors[0]?.code]).toEqual([409, 'changed-meanwhile'])
    const now = await admin.call(endpoints.read, { params: { id: user.userId } })
    expect(now.body.lastName).toBe('First')
  })

  test('accepts one of two concurrent changes', async () => {
    const api = await testApi()
    const [one, other] = [await api.withPermissions(ADMINISTRATOR), await api.withPermissions(ADMINISTRATOR)]
    const user = await api.as('Stat')
    const key = { params: { id: user.userId } }
    const { roles, version } = (await one.call(endpoints.read, key)).body
    const answers = await Promise.all(
      [one, other].map((admin, n) =>
        admin.call(endpoints.change, {
          ...key,
          body: { ...person(user.username, roles[0]?.id as number), lastName: `N${n}`, version },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await one.call(endpoints.read, key)).body.lastName).toBe(answers[0]?.status === 200 ? 'N0' : 'N1')
  })

  test('ends the user’s sessions at once when disabling them', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const user = await api.as('Stat')
    const { roles } = (await admin.call(endpoints.read, { params: { id: user.userId } })).body
    await admin.call(endpoints.change, {
      params: { id: user.userId },
      body: { ...person(user.username, roles[0]?.id as number), enabled: false },
    })
    expect((await user.call(ping)).status).toBe(401)
  })
})

describe('the list of users', () => {
  test('is paged, searched case-insensitively, and counted in X-Total-Count', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    for (const username of ['Anna', 'adam', 'Ada_m', 'zofia'])
      await admin.call(endpoints.add, { body: { ...person(username, ANALYST), password: PASSWORD } })

    const found = await admin.call(endpoints.list, { query: { username: 'AD', orderDirection: 'desc' } })
    expect(found.body.content.map(({ username }) => username)).toEqual(['adam', 'Ada_m'])
    expect(found.headers['x-total-count']).toBe('2')
    const ascending = await admin.call(endpoints.list, { query: { username: 'AD' } })
    expect(ascending.body.content.map(({ username }) => username)).toEqual(['Ada_m', 'adam'])
    const wildcard = await admin.call(endpoints.list, { query: { username: '_' } })
    expect(wildcard.body.content.map(({ username }) => username)).toEqual(['Ada_m'])
    const paged = await admin.call(endpoints.list, { query: { page: 2, limit: 2 } })
    expect([paged.body.content.length, paged.body.totalCount]).toEqual([2, 5])
  })

  test('is ordered by name, role, state or last login; missing values last, ties by username', async () => {
    const api = await testApi()
    const admin = await api.withPermissions([...administratorPermissions])
    const add = (username: string, role: number, values: object) =>
      admin.call(endpoints.add, { body: { ...person(username, role), ...values, password: PASSWORD } })
    await add('x-anna', ANALYST, { lastName: 'Żak' })
    await add('x-jan', OPERATOR, { lastName: 'Łoś', firstName: 'Jan' })
    await add('x-ewa', ANALYST, { lastName: 'Łoś', firstName: 'Ewa', enabled: false })
    await api.anyone.call(login, { body: { username: 'x-jan', password: PASSWORD } })
    const order = async (orderBy: UserOrder, orderDirection: 'asc' | 'desc' = 'asc') =>
      (await admin.call(endpoints.list, { query: { username: 'x-', orderBy, orderDirection } })).body.content.map(
        ({ username }) => username.slice(2),
      )
    expect(await order('name')).toEqual(['ewa', 'jan', 'anna'])
    expect(await order('name', 'desc')).toEqual(['anna', 'jan', 'ewa'])
    expect(await order('role')).toEqual(['anna', 'ewa', 'jan'])
    expect(await order('enabled', 'desc')).toEqual(['anna', 'jan', 'ewa'])
    expect(await order('lastLogin')).toEqual(['jan', 'anna', 'ewa'])
    expect(await order('lastLogin', 'desc')).toEqual(['jan', 'anna', 'ewa'])
  })

  test('omits deleted users and frees their names; bulk deletion is atomic', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const [a, b] = [await api.as('Stat'), await api.as('Stat')]

    const refused = await admin.call(endpoints.bulkDelete, { body: [a.userId, admin.userId] })
    expect(refused.status).toBe(422)
    expect((await a.call(ping)).status).toBe(204)

    expect((await admin.call(endpoints.bulkDelete, { body: [a.userId, b.userId] })).status).toBe(204)
    expect((await a.call(ping)).status).toBe(401)
    expect((await admin.call(endpoints.read, { params: { id: a.userId } })).status).toBe(404)
    const again = await admin.call(endpoints.add, { body: { ...person(a.username, ANALYST), password: PASSWORD } })
    expect(again.status).toBe(200)
  })
})

type UserName = { lastName: string }

test('audits every change with values before and after, without secrets', async () => {
  const api = await testApi()
  const admin = await api.withPermissions(ADMINISTRATOR)
  const { body } = await admin.call(endpoints.add, { body: { ...person('x.audit', ANALYST), password: 'tajne-123' } })
  await admin.call(endpoints.change, {
    params: { id: body.id },
    body: { ...person('x.audit', ANALYST), lastName: 'Nowa' },
  })
  await admin.call(endpoints.bulkDelete, { body: [body.id] })

  const lines = await api.db.query<{
    action: string
    subject: string
    user_id: number
    before: UserName | null
    after: UserName | null
  }>(sql`select action, subject, user_id, before, after from audit order by id`)
  expect(lines.map(({ action, subject, user_id }) => [action, subject, user_id])).toEqual([
    ['user-added', 'x.audit', admin.userId],
    ['user-changed', 'x.audit', admin.userId],
    ['user-deleted', 'x.audit', admin.userId],
  ])
  expect(lines[1]?.before?.lastName).toBe('Zawadzka')
  expect(lines[1]?.after?.lastName).toBe('Nowa')
  expect(JSON.stringify(lines)).not.toMatch(/tajne|argon2/)
})
