import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { login, ping } from '@rogatka/contract/session.ts'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { sql } from '../core/statement.ts'
import { PASSWORD, type TestApi, testApi } from '../testing/test-api.ts'
import { ensureAdministrator, restoreAdministrator } from './administrator.ts'

const RULES = readConfig({ OWNER_COMPANY: 'Zarząd Dróg Miejskich' })

const administratorRole = async ({ db }: TestApi) => {
  const [role] = await db.query<{ name: string; permissions: string[] }>(sql`
    select name, permissions from role where id = 8`)
  return role
}

const audited = ({ db }: TestApi) =>
  db.query(sql`select action, subject, user_id, before, after from audit order by id`)

test('creates the administrator at the first start, once, also by concurrent processes', async () => {
  const api = await testApi()
  const { db, clock } = api
  await expect(ensureAdministrator(db, undefined, RULES, clock.now)).rejects.toThrow(/^ADMIN_PASSWORD: /)
  for (const guessable of ['Password1234', 'admin-rogatka-2026', 'zarzad.drog.2026'])
    await expect(ensureAdministrator(db, guessable, RULES, clock.now)).rejects.toThrow(/^ADMIN_PASSWORD: password-/)
  const created = await Promise.all([
    ensureAdministrator(db, PASSWORD, RULES, clock.now),
    ensureAdministrator(db, 'Drugie-haslo-2026', RULES, clock.now),
  ])
  expect(created.sort()).toEqual([false, true])
  expect(await ensureAdministrator(db, undefined, RULES, clock.now)).toBe(false)
  expect(await db.query(sql`select 1 from app_user`)).toHaveLength(1)
  const answers = await Promise.all(
    [PASSWORD, 'Drugie-haslo-2026'].map((password) =>
      api.anyone.call(login, { body: { username: 'admin', password } }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  const token = answers.find(({ status }) => status === 200)?.body.token
  const { body } = await api.client(token).call(readSelf)
  expect(body).toMatchObject({
    firstName: 'Administrator',
    lastName: 'Rogatka',
    email: null,
    roles: [{ id: 8 }],
    permissions: (await administratorRole(api))?.permissions,
    mustChangePassword: false,
  })
})

test('restores a deleted administrator role beside another role of its name, for existing accounts only', async () => {
  const api = await testApi()
  const { db, clock } = api
  const { username } = await api.as('Stat')
  const seeded = await administratorRole(api)
  await db.execute(sql`delete from role where id = 8`)
  await db.execute(sql`update role set name = 'Administrator' where id = 2`)
  await expect(restoreAdministrator(db, 'nobody', clock.now)).rejects.toThrow('User nobody not found')
  expect(await administratorRole(api)).toBeUndefined()
  expect(await restoreAdministrator(db, username, clock.now)).toBe(true)
  expect(await administratorRole(api)).toEqual({ name: 'Administrator 8', permissions: seeded?.permissions })
})

test('restores a deleted administrator role under its name, without granting it', async () => {
  const api = await testApi()
  const seeded = await administratorRole(api)
  await api.db.execute(sql`delete from role where id = 8`)
  expect(await restoreAdministrator(api.db, undefined, api.clock.now)).toBe(false)
  expect(await administratorRole(api)).toEqual({ name: 'Administrator', permissions: seeded?.permissions })
  expect(await audited(api)).toEqual([
    {
      action: 'role-restored-by-command',
      subject: 'Administrator',
      user_id: null,
      before: { permissions: [] },
      after: { permissions: seeded?.permissions },
    },
  ])
})

test('restoring keeps the name and the other rights of the role, and lifts its anonymisation', async () => {
  const api = await testApi()
  const seeded = await administratorRole(api)
  await api.db.execute(sql`
    update role set name = 'Szef', permissions = '{ROLE_7,ROLE_37,ROLE_99}', requires_factor = true, required_factor = 'provider'
    where id = 8`)
  const manager = await api.withPermissions(['ROLE_20'])
  expect(await restoreAdministrator(api.db, undefined, api.clock.now)).toBe(false)
  const permissions = [...(seeded?.permissions ?? []), 'ROLE_99']
  expect(await administratorRole(api)).toEqual({ name: 'Szef', permissions })
  expect(await audited(api)).toMatchObject([
    {
      subject: 'Szef',
      before: { permissions: ['ROLE_7', 'ROLE_37', 'ROLE_99'], requiresFactor: true, requiredFactor: 'provider' },
      after: { permissions, requiresFactor: true },
    },
  ])
  // Sessions of others go on.
  expect((await manager.call(ping)).status).toBe(204)
})

test('granting the role to a disabled account enables it, ends its sessions and is audited', async () => {
  const api = await testApi()
  const anna = await api.as('Stat')
  await api.db.execute(sql`update app_user set enabled = false where id = ${anna.userId}`)
  expect(await restoreAdministrator(api.db, anna.username.toUpperCase(), api.clock.now)).toBe(true)
  expect((await anna.call(ping)).status).toBe(401)
  const { body } = await api.anyone.call(login, { body: { username: anna.username, password: PASSWORD } })
  const self = (await api.client(body.token).call(readSelf)).body
  expect([self.roles[0]?.id, self.mustChangePassword]).toEqual([8, true])
  expect((await audited(api))[1]).toEqual({
    action: 'administrator-restored-by-command',
    subject: anna.username,
    user_id: null,
    before: { roles: [expect.objectContaining({ name: anna.username })], enabled: false },
    after: { roles: [{ id: 8, name: self.roles[0]?.name }], enabled: true },
  })

  // An administrator keeps the password, and other roles.
  await api.db.execute(sql`update app_user set must_change_password = false where id = ${anna.userId}`)
  await api.db.execute(sql`insert into user_role (user_id, role_id, place) values (${anna.userId}, 1, 2)`)
  expect(await restoreAdministrator(api.db, anna.username, api.clock.now)).toBe(true)
  const again = await api.anyone.call(login, { body: { username: anna.username, password: PASSWORD } })
  const kept = (await api.client(again.body.token).call(readSelf)).body
  expect([kept.roles.map(({ id }) => id), kept.mustChangePassword]).toEqual([[8, 1], false])

  await api.db.execute(sql`delete from user_role where user_id = ${anna.userId}`)
  expect(await restoreAdministrator(api.db, anna.username, api.clock.now)).toBe(true)
})
