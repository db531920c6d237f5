import { readSelf } from '@rogatka/contract/preferences-self.ts'
import * as roles from '@rogatka/contract/roles.ts'
import * as users from '@rogatka/contract/users.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import { insertSession } from '../core/session-queries.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import { sql } from '../core/statement.ts'
import { type TestApi, testApi } from '../testing/test-api.ts'

/** Number of enabled accounts with every right of the seeded administrator role, without restriction. */
async function fullAdministrators({ db }: TestApi, every: string[]): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count
    from app_user u join user_role ur on ur.user_id = u.id join role r on r.id = ur.role_id
    where u.enabled and u.deleted_at is null and r.permissions @> ${every} and not 'ROLE_37' = any(r.permissions)`)
  return row?.count ?? 0
}

/** A client in a new session of a user, even if earlier ones were ended. */
async function clientOf(api: TestApi, userId: number) {
  const token = newToken()
  await insertSession(api.db, { tokenHash: hashToken(token), userId, ip: '127.0.0.1', userAgent: null }, api.clock.now)
  return api.client(token)
}

test.each([1, 2, 3])('an account with every right survives random edits by administrators (seed %i)', async (seed) => {
  const api = await testApi()
  const chance = seededRandom(seed)
  const [row] = await api.db.query<{ permissions: string[] }>(sql`select permissions from role where id = 8`)
  const every = row?.permissions ?? []
  const people = await Promise.all([
    api.withPermissions(every),
    api.withPermissions(every),
    api.withPermissions([...every, 'ROLE_37']),
    api.withPermissions(['ROLE_7', 'ROLE_19', 'ROLE_20']),
  ])
  const roleIds = [
    8,
    ...(await api.db.query<{ id: number }>(sql`select id from role where id > 99`)).map(({ id }) => id),
  ]
  const ids = people.map(({ userId }) => userId)

  const edit = async (): Promise<number> => {
    const by = await clientOf(api, chance.pick(ids))
    const id = chance.pick(ids)
    const kind = chance.below(10)
    if (kind === 0 && chance.happens(0.3)) return (await by.call(users.bulkDelete, { body: [id] })).status
    if (kind < 5) {
      const roleId = chance.pick(roleIds)
      const lost = chance.happens(0.4) ? chance.pick(every) : null
      const permissions = [...every.filter((one) => one !== lost), ...(chance.happens(0.2) ? ['ROLE_37'] : [])]
      const body = { name: `Rola ${roleId}`, permissions }
      return (await by.call(roles.change, { params: { id: roleId }, body })).status
    }
    const body = {
      username: `osoba${id}`,
      firstName: 'Jan',
      lastName: 'Nowak',
      email: `osoba${id}@example.org`,
      phoneNumber: '600100200',
      roles: [chance.pick(roleIds)],
      enabled: chance.happens(0.7),
      password: chance.happens(0.3) ? 'Zima-2026-Radzymin' : null,
    }
    return (await by.call(users.change, { params: { id }, body })).status
  }

  const statuses = new Map<number, number>()
  for (let step = 0; step < 60; step++) {
    // Sometimes two concurrently.
    for (const status of await Promise.all(chance.happens(0.5) ? [edit(), edit()] : [edit()]))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    expect(await fullAdministrators(api, every)).toBeGreaterThan(0)
  }
  // The edits both changed something and were refused for the last administrator.
  expect(statuses.get(200)).toBeGreaterThan(5)
  expect(statuses.get(422)).toBeGreaterThan(0)
})

test('two administrators who drop their rights concurrently leave one', async () => {
  const api = await testApi()
  const [row] = await api.db.query<{ permissions: string[] }>(sql`select permissions from role where id = 8`)
  const every = row?.permissions ?? []
  const people = [await api.withPermissions(every), await api.withPermissions(every)]
  const give = async ({ call }: (typeof people)[number]) => {
    const [role] = (await call(readSelf)).body.roles
    const body = { name: role?.name as string, permissions: every.filter((one) => one !== 'ROLE_3') }
    return (await call(roles.change, { params: { id: role?.id as number }, body })).status
  }
  expect((await Promise.all(people.map(give))).sort()).toEqual([200, 422])
  expect(await fullAdministrators(api, every)).toBe(1)
})
