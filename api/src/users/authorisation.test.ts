import * as endpoints from '@rogatka/contract/users.ts'
import { describe, expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { untilAccountsWait } from '../roles/testing.ts'
import { lockAccounts } from '../roles/user-role-queries.ts'
import { PASSWORD, type TestApi, testApi } from '../testing/test-api.ts'
import { ADMINISTRATOR, ANALYST, OPERATOR, person } from './testing.ts'

const roleOf = async (api: TestApi, permissions: string[]) => {
  const name = `r${crypto.randomUUID().slice(0, 8)}`
  const [row] = await api.db.query<{ id: number }>(sql`
    insert into role (name, permissions) values (${name}, ${permissions}) returning id`)
  return row?.id as number
}

describe('authorisation', () => {
  test('a user cannot grant a right that they lack', async () => {
    const api = await testApi()
    const manager = await api.withPermissions(['ROLE_10', 'ROLE_11', 'ROLE_20'])
    const more = await manager.call(endpoints.add, { body: { ...person('x.more', OPERATOR), password: PASSWORD } })
    const refused = [403, 'roles', 'right-not-held']
    expect([more.status, more.errors[0]?.path, more.errors[0]?.code]).toEqual(refused)
    const same = { ...person('x.same', await roleOf(api, ['ROLE_10', 'ROLE_11'])), password: PASSWORD }
    const added = await manager.call(endpoints.add, { body: same })
    expect(added.status).toBe(200)
    const promoted = await manager.call(endpoints.change, {
      params: { id: added.body.id },
      body: person('x.same', OPERATOR),
    })
    expect([promoted.status, promoted.errors[0]?.path, promoted.errors[0]?.code]).toEqual(refused)
    const { body } = await manager.call(endpoints.read, { params: { id: added.body.id } })
    expect(body.roles).toEqual(added.body.roles)
  })

  test('only an administrator can change or delete an administrator', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const manager = await api.withPermissions(['ROLE_20'])
    const changed = await manager.call(endpoints.change, {
      params: { id: admin.userId },
      body: { ...person(admin.username, ANALYST), password: null },
    })
    expect([changed.status, changed.errors[0]?.code]).toEqual([403, 'administrator-needed'])
    const deleted = await manager.call(endpoints.bulkDelete, { body: [admin.userId] })
    expect(deleted.errors[0]?.code).toBe('administrator-needed')
    const seen = await manager.call(endpoints.read, { params: { id: admin.userId } })
    expect(seen.body.manageable).toBe(false)
  })

  test('a user cannot delete or disable themselves, nor remove the last administrator', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const self = { params: { id: admin.userId } }
    const roleId = (await admin.call(endpoints.read, self)).body.roles[0]?.id as number

    expect((await admin.call(endpoints.bulkDelete, { body: [admin.userId] })).errors[0]?.code).toBe('not-yourself')
    const disabled = await admin.call(endpoints.change, {
      ...self,
      body: { ...person(admin.username, roleId), enabled: false },
    })
    expect([disabled.errors[0]?.path, disabled.errors[0]?.code]).toEqual(['enabled', 'not-yourself'])
    const demoted = await admin.call(endpoints.change, { ...self, body: person(admin.username, ANALYST) })
    expect([demoted.status, demoted.errors[0]?.code]).toEqual([422, 'last-administrator'])
    expect((await admin.call(endpoints.read, self)).body.roles[0]?.id).toBe(roleId)
  })

  test('own password change needs the current one', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const { body } = await admin.call(endpoints.read, { params: { id: admin.userId } })
    const change = async (values: object) => {
      const own = { ...person(admin.username, body.roles[0]?.id as number), ...values }
      const { status, errors } = await admin.call(endpoints.change, { params: { id: admin.userId }, body: own })
      return [status, errors?.[0]?.path, errors?.[0]?.code]
    }
    expect(await change({ email: 'first@example.org' })).toEqual([200, undefined, undefined])
    expect(await change({ email: 'first@example.org', password: 'Inne-haslo-2026' })).toEqual([
      422,
      'password',
      'own-account-in-settings',
    ])
    expect(await change({ email: 'other@example.org' })).toEqual([422, 'email', 'own-account-in-settings'])
    expect(await change({ email: 'first@example.org', company: 'Drogi' })).toEqual([200, undefined, undefined])
  })

  test('a user manager cannot take over, weaken or delete an account with more rights', async () => {
    const api = await testApi()
    const manager = await api.withPermissions(['ROLE_10', 'ROLE_11', 'ROLE_19', 'ROLE_20', 'ROLE_38'])
    const operator = await api.withPermissions(['ROLE_2', 'ROLE_10'])
    const key = { params: { id: operator.userId } }
    const { body: before } = await manager.call(endpoints.read, key)
    const same = { ...person(operator.username, before.roles[0]?.id as number), password: null }
    const lesser = await roleOf(api, ['ROLE_10'])
    for (const change of [
      { password: 'przejete-haslo' },
      { email: 'manager@example.org' },
      { username: 'inny' },
      { roles: [lesser] },
      { roles: [await roleOf(api, ['ROLE_10', 'ROLE_37'])] },
      { enabled: false },
    ]) {
      const { status, errors } = await manager.call(endpoints.change, { ...key, body: { ...same, ...change } })
      expect([status, errors[0]?.code]).toEqual([403, 'account-has-more-rights'])
    }
    const deleted = await manager.call(endpoints.bulkDelete, { body: [operator.userId] })
    expect([deleted.status, deleted.errors[0]?.code]).toEqual([403, 'account-has-more-rights'])
    expect((await manager.call(endpoints.read, key)).body).toEqual({ ...before, manageable: false })

    const equal = await api.withPermissions(['ROLE_10'])
    const duplicate = { ...person(equal.username, lesser), password: 'nowe-haslo' }
    expect((await manager.call(endpoints.change, { params: { id: equal.userId }, body: duplicate })).status).toBe(200)
  })

  test('an anonymised manager cannot take over an account with full data', async () => {
    const api = await testApi()
    const manager = await api.withPermissions(['ROLE_10', 'ROLE_20', 'ROLE_37'])
    const free = await api.withPermissions(['ROLE_10'])
    const bound = await api.withPermissions(['ROLE_10', 'ROLE_37'])
    const change = async ({ userId, username }: typeof free) => {
      const { roles } = (await manager.call(endpoints.read, { params: { id: userId } })).body
      const body = { ...person(username, roles[0]?.id as number), password: 'nowe-haslo' }
      const { status, errors } = await manager.call(endpoints.change, { params: { id: userId }, body })
      return [status, errors[0]?.code]
    }
    expect(await change(free)).toEqual([403, 'account-has-more-rights'])
    expect(await change(bound)).toEqual([200, undefined])
  })

  test('checks current rights, not those cached with the session', async () => {
    const api = await testApi()
    const [boss, manager] = [await api.withPermissions(ADMINISTRATOR), await api.withPermissions(ADMINISTRATOR)]
    const demoted = { ...person(manager.username, ANALYST), roles: [ANALYST] }
    const { body } = await boss.call(endpoints.read, { params: { id: manager.userId } })
    const restored = { ...demoted, roles: [body.roles[0]?.id as number] }
    const both = await api.db.transaction(async (db) => {
      // Both requests are authenticated and wait for this lock, in this order.
      await lockAccounts(db)
      const first = boss.call(endpoints.change, { params: { id: manager.userId }, body: demoted })
      await untilAccountsWait(api, 1)
      const second = manager.call(endpoints.change, { params: { id: manager.userId }, body: restored })
      await untilAccountsWait(api, 2)
      return { first, second }
    })
    expect((await both.first).status).toBe(200)
    expect((await both.second).errors[0]?.code).toBe('forbidden')
    expect((await boss.call(endpoints.read, { params: { id: manager.userId } })).body.roles[0]?.id).toBe(ANALYST)
  })

  test('two administrators who delete each other concurrently leave one', async () => {
    const api = await testApi()
    const [a, b] = [await api.withPermissions(ADMINISTRATOR), await api.withPermissions(ADMINISTRATOR)]
    const both = await api.db.transaction(async (db) => {
      await lockAccounts(db)
      const deletes = [
        a.call(endpoints.bulkDelete, { body: [b.userId] }),
        b.call(endpoints.bulkDelete, { body: [a.userId] }),
      ]
      await untilAccountsWait(api, 2)
      return { deletes }
    })
    const answers = await Promise.all(both.deletes)
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
    expect(answers.flatMap(({ errors }) => errors).map(({ code }) => code)).toEqual(['last-administrator'])
    const [left] = await api.db.query(sql`select count(*)::int as users from app_user where deleted_at is null`)
    expect(left?.users).toBe(1)
  })

  test('two administrators who demote each other concurrently leave one', async () => {
    const api = await testApi()
    const [a, b] = [await api.withPermissions(ADMINISTRATOR), await api.withPermissions(ADMINISTRATOR)]
    const demote = (by: typeof a, whom: typeof a) =>
      by.call(endpoints.change, { params: { id: whom.userId }, body: person(whom.username, ANALYST) })
    const statuses = (await Promise.all([demote(a, b), demote(b, a)])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  test('an anonymised manager cannot grant full data', async () => {
    const api = await testApi()
    const manager = await api.withPermissions(['ROLE_10', 'ROLE_20', 'ROLE_37'])
    const free = await roleOf(api, ['ROLE_10'])
    const refused = await manager.call(endpoints.add, { body: { ...person('x.free', free), password: PASSWORD } })
    expect([refused.status, refused.errors[0]?.code]).toEqual([403, 'anonymization-stays'])
  })
})
