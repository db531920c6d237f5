import * as preferences from '@rogatka/contract/preferences.ts'
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
    const self = await api.client(again.body.token).call(preferences.readSelf)
    expect(self.body.mustChangePassword).toBe(true)
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
    const wildcard = await admin.call(endpoints.list, { query: { username: '_' } })
    expect(wildcard.body.content.map(({ username }) => username)).toEqual(['Ada_m'])
    const paged = await admin.call(endpoints.list, { query: { page: 2, limit: 2 } })
    expect([paged.body.content.length, paged.body.totalCount]).toEqual([2, 5])
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

type Named = { lastName: string }

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
    before: Named | null
    after: Named | null
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
