import { readSelf } from '@rogatka/contract/preferences-self.ts'
import type { Role } from '@rogatka/contract/roles.ts'
import * as endpoints from '@rogatka/contract/roles.ts'
import { bulkDelete as deleteUsers } from '@rogatka/contract/users.ts'
import { describe, expect, test } from 'vitest'
import { raw, sql } from '../core/statement.ts'
import { testApi } from '../testing/test-api.ts'
import { untilAccountsWait } from './testing.ts'
import { lockAccounts } from './user-role-queries.ts'

const ADMINISTRATOR = ['ROLE_1', 'ROLE_2', 'ROLE_3', 'ROLE_7', 'ROLE_10', 'ROLE_19', 'ROLE_20']

describe('the list of roles', () => {
  test('is an array, or content and totalCount if a page is requested', async () => {
    const api = await testApi()
    const { call } = await api.withPermissions(['ROLE_20'])
    const all = (await call(endpoints.list)).body as Role[]
    expect(all.map(({ name }) => name)).toContain('Operator')
    const paged = (await call(endpoints.list, { query: { page: 1, limit: 2, orderDirection: 'desc' } })).body
    expect(paged).toMatchObject({ content: [expect.anything(), expect.anything()], totalCount: all.length })
  })

  test('is ordered by name in both directions, over its pages', async () => {
    const api = await testApi()
    const { call } = await api.withPermissions(['ROLE_20'])
    const namesOf = async (query: object) => {
      const { body } = await call(endpoints.list, { query })
      return (Array.isArray(body) ? body : body.content).map(({ name }) => name)
    }
    const names = await namesOf({})
    expect(names).toEqual(names.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase(), 'pl')))
    expect(await namesOf({ orderDirection: 'desc' })).toEqual(names.toReversed())
    expect(await namesOf({ page: 1, limit: 3 })).toEqual(names.slice(0, 3))
    expect(await namesOf({ page: 2, limit: 3, orderDirection: 'asc' })).toEqual(names.slice(3, 6))
    // The administrator has the most permissions; only the role of this test has a user.
    expect((await namesOf({ orderBy: 'permissions', orderDirection: 'desc' }))[0]).toBe('Administrator')
    expect((await namesOf({ orderBy: 'users', orderDirection: 'desc' }))[0]).toMatch(/^person/)
    expect((await namesOf({ orderBy: 'users' })).slice(0, 2)).toEqual(
      names.filter((name) => !name.startsWith('person')).slice(0, 2),
    )
  })

  test('is searched by part of the name, case-insensitively', async () => {
    const api = await testApi()
    const { call } = await api.withPermissions(['ROLE_20'])
    const found = (await call(endpoints.list, { query: { page: 1, name: 'ANALI' } })).body
    expect(found).toMatchObject({ totalCount: 2 })
  })

  test('has permissions in order of number, all 28 of them in total', async () => {
    const api = await testApi()
    const { call } = await api.withPermissions(['ROLE_20'])
    const all = (await call(endpoints.list)).body as Role[]
    const operator = all.find(({ id }) => id === 1)
    expect(operator?.permissions.map(({ name }) => name)).toEqual(
      [1, 2, 3, 4, 10, 11, 12, 13, 14, 15, 38].map((n) => `ROLE_${n}`),
    )
    const offered = new Set(all.flatMap(({ permissions }) => permissions.map(({ name }) => name)))
    expect(offered.size).toBe(28)
  })
})

describe('role', () => {
  test('that does not exist cannot be read, changed or deleted', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const body = { name: 'A', permissions: ['ROLE_1'] }
    const answers = [
      await admin.call(endpoints.read, { params: { id: 999 } }),
      await admin.call(endpoints.change, { params: { id: 999 }, body }),
      await admin.call(endpoints.bulkDelete, { body: [999] }),
    ]
    for (const { status, errors } of answers) expect([status, errors[0]?.code]).toEqual([404, 'role-not-found'])
  })

  test.each([
    ['lost the right', 'update role set permissions = $$ {ROLE_20} $$', 403, 'forbidden'],
    ['was disabled', 'update app_user set enabled = false', 401, 'unauthorized'],
  ])('is neither added, changed nor deleted by a caller who %s meanwhile', async (_, statement, status, code) => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const role = { name: 'A', permissions: ['ROLE_20'] }
    const { id } = (await admin.call(endpoints.add, { body: role })).body
    const all = await api.db.transaction(async (db) => {
      await lockAccounts(db)
      const calls = [
        admin.call(endpoints.add, { body: { ...role, name: 'B' } }),
        admin.call(endpoints.change, { params: { id }, body: { ...role, name: 'C' } }),
        admin.call(endpoints.bulkDelete, { body: [id] }),
      ]
      await untilAccountsWait(api, 3)
      await db.execute(raw(statement))
      return { calls }
    })
    for (const answer of await Promise.all(all.calls))
      expect([answer.status, answer.errors[0]?.code]).toEqual([status, code])
    const names = await api.db.query<{ name: string }>(sql`select name from role where name in ('A', 'B', 'C')`)
    expect(names).toEqual([{ name: 'A' }])
  })

  test('changes are audited with the values before and after', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const before = { name: 'A', description: 'Noc', permissions: ['ROLE_1', 'ROLE_2'] }
    const after = { name: 'B', description: null, permissions: ['ROLE_2'] }
    const { id } = (await admin.call(endpoints.add, { body: before })).body
    await admin.call(endpoints.change, { params: { id }, body: after })
    await admin.call(endpoints.bulkDelete, { body: [id] })
    expect(await api.db.query(sql`select action, subject, before, after from audit order by id`)).toEqual([
      { action: 'role-added', subject: 'A', before: null, after: before },
      { action: 'role-changed', subject: 'B', before, after },
      { action: 'role-deleted', subject: 'B', before: { name: 'B', permissions: ['ROLE_2'] }, after: null },
    ])
  })

  test('is added with trimmed texts and unique permissions, by name or as object', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const { status, body } = await admin.call(endpoints.add, {
      body: { name: '  Nocna zmiana ', description: ' ', permissions: ['ROLE_10', { name: 'ROLE_2' }, 'ROLE_10'] },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Nocna zmiana', description: null })
    expect(body.permissions).toEqual([{ name: 'ROLE_2' }, { name: 'ROLE_10' }])
  })

  test('needs a unique name and a permission', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const empty = await admin.call(endpoints.add, { body: { name: ' ', permissions: [] } })
    expect(empty.errors.map(({ path, userMessage }) => [path, userMessage])).toEqual([
      ['name', 'Nazwa jest wymagana.'],
      ['permissions', 'Uprawnienia są wymagane.'],
    ])
    const duplicate = await admin.call(endpoints.add, { body: { name: 'OPERATOR', permissions: ['ROLE_1'] } })
    expect([duplicate.status, duplicate.errors[0]?.path]).toEqual([409, 'name'])
  })

  test('applies a change to the rights of its holders at once', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const user = await api.withPermissions(['ROLE_2'])
    const { id, name } = (await user.call(readSelf)).body.roles[0] as { id: number; name: string }
    await admin.call(endpoints.change, { params: { id }, body: { name, permissions: ['ROLE_2', 'ROLE_3'] } })
    expect((await user.call(readSelf)).body.permissions).toEqual(['ROLE_2', 'ROLE_3'])
  })

  test('refuses an outdated version', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const { body: role } = await admin.call(endpoints.add, { body: { name: 'A', permissions: ['ROLE_1'] } })
    const save = (name: string) =>
      admin.call(endpoints.change, {
        params: { id: role.id },
        body: { name, permissions: ['ROLE_1'], version: role.version },
      })
    expect((await save('B')).status).toBe(200)
    expect((await save('C')).errors[0]?.code).toBe('changed-meanwhile')
  })

  test('cannot be deleted with users; bulk deletion is atomic', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const user = await api.withPermissions(['ROLE_2'])
    const used = (await user.call(readSelf)).body.roles[0]?.id as number
    const { body: free } = await admin.call(endpoints.add, { body: { name: 'A', permissions: ['ROLE_1'] } })

    const refused = await admin.call(endpoints.bulkDelete, { body: [free.id, used] })
    expect([refused.status, refused.errors[0]?.code]).toEqual([409, 'role-in-use'])
    expect((await admin.call(endpoints.read, { params: { id: free.id } })).status).toBe(200)
    expect((await admin.call(endpoints.bulkDelete, { body: [free.id] })).status).toBe(204)
    expect((await admin.call(endpoints.read, { params: { id: free.id } })).status).toBe(404)
  })

  test('can be deleted with deleted users', async () => {
    const api = await testApi()
    const admin = await api.withPermissions(ADMINISTRATOR)
    const user = await api.withPermissions(['ROLE_2'])
    const { id } = (await user.call(readSelf)).body.roles[0] as { id: number }
    expect((await admin.call(deleteUsers, { body: [user.userId] })).status).toBe(204)
    expect((await admin.call(endpoints.bulkDelete, { body: [id] })).status).toBe(204)
    expect((await admin.call(endpoints.read, { params: { id } })).status).toBe(404)
  })

  test('cannot be weakened or restricted by a manager without all its rights', async () => {
    const api = await testApi()
    const manager = await api.withPermissions(['ROLE_10', 'ROLE_19'])
    const holder = await api.withPermissions(['ROLE_1', 'ROLE_10'])
    const { id, name } = (await holder.call(readSelf)).body.roles[0] as { id: number; name: string }
    const change = async (permissions: string[]) => {
      const { status, errors } = await manager.call(endpoints.change, { params: { id }, body: { name, permissions } })
      return [status, errors[0]?.path, errors[0]?.code]
    }
    expect(await change(['ROLE_10'])).toEqual([403, 'permissions', 'role-has-more-rights'])
    expect(await change(['ROLE_1'])).toEqual([403, 'permissions', 'role-has-more-rights'])
    expect(await change(['ROLE_1', 'ROLE_10', 'ROLE_37'])).toEqual([403, 'permissions', 'role-has-more-rights'])
    expect((await holder.call(readSelf)).body.permissions).toEqual(['ROLE_1', 'ROLE_10'])
    expect(await change(['ROLE_1', 'ROLE_10', 'ROLE_19'])).toEqual([200, undefined, undefined])
  })

  test('cannot be renamed or deleted by a manager without all its rights', async () => {
    const api = await testApi()
    const manager = await api.withPermissions(['ROLE_10', 'ROLE_19'])
    const admin = await api.withPermissions(ADMINISTRATOR)
    const body = { name: 'Kierownicy', description: 'Ruch', permissions: ['ROLE_3'] }
    const { id } = (await admin.call(endpoints.add, { body })).body
    const change = async (differing: object) => {
      const { status, errors } = await manager.call(endpoints.change, {
        params: { id },
        body: { ...body, ...differing },
      })
      return [status, errors[0]?.code]
    }
    expect(await change({ name: 'Podgląd' })).toEqual([403, 'role-has-more-rights'])
    expect(await change({ description: 'Podgląd' })).toEqual([403, 'role-has-more-rights'])
    expect(await change({})).toEqual([200, undefined])
    const deleted = await manager.call(endpoints.bulkDelete, { body: [id] })
    expect([deleted.status, deleted.errors[0]?.code]).toEqual([403, 'role-has-more-rights'])
    expect((await admin.call(endpoints.bulkDelete, { body: [id] })).status).toBe(204)
  })

  test('cannot be weakened, restricted or deleted if it is the administrator role', async () => {
    const api = await testApi()
    const [seeded] = await api.db.query<{ permissions: string[] }>(sql`select permissions from role where id = 8`)
    const all = seeded?.permissions ?? []
    const admin = await api.withPermissions(all)
    const change = async (permissions: string[]) => {
      const body = { name: 'Administrator', permissions }
      const { status, errors } = await admin.call(endpoints.change, { params: { id: 8 }, body })
      return [status, errors[0]?.path, errors[0]?.code]
    }
    const refused = [422, 'permissions', 'administrator-role-is-fixed']
    expect(await change([...all, 'ROLE_37'])).toEqual(refused)
    for (const lost of all) expect(await change(all.filter((one) => one !== lost))).toEqual(refused)
    expect(await change(all)).toEqual([200, undefined, undefined])
    const deleted = await admin.call(endpoints.bulkDelete, { body: [8] })
    expect([deleted.status, deleted.errors[0]?.code]).toEqual([422, 'administrator-role-is-fixed'])
  })

  test('cannot exceed the rights of its author, or remove the last administrator', async () => {
    const api = await testApi()
    const manager = await api.withPermissions(['ROLE_19'])
    const more = await manager.call(endpoints.add, { body: { name: 'A', permissions: ['ROLE_1'] } })
    expect([more.status, more.errors[0]?.path, more.errors[0]?.code]).toEqual([403, 'permissions', 'right-not-held'])
    const power = await manager.call(endpoints.add, { body: { name: 'A', permissions: ['ROLE_7'] } })
    expect(power.errors[0]?.code).toBe('administrator-needed')

    const admin = await api.withPermissions(ADMINISTRATOR)
    const { id, name } = (await admin.call(readSelf)).body.roles[0] as { id: number; name: string }
    const lost = await admin.call(endpoints.change, { params: { id }, body: { name, permissions: ['ROLE_10'] } })
    expect([lost.status, lost.errors[0]?.code]).toEqual([422, 'last-administrator'])
  })
})
