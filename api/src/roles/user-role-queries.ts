import { administratorPermissions, permissionsOf } from '@rogatka/contract/access.ts'
import type { Database } from '../core/database.ts'
import { LOCKS } from '../core/locks.ts'
import { sql } from '../core/statement.ts'

/**
 * Serialises changes of accounts and roles with an advisory lock, so that concurrent changes cannot remove the last
 * administrator.
 */
export const lockAccounts = (db: Database) => db.query(sql`select pg_advisory_xact_lock(${LOCKS.accounts})`)

/** A user's current permissions; `active`: neither disabled nor deleted. */
export async function actorById(db: Database, id: number): Promise<{ permissions: string[]; active: boolean }> {
  const [row] = await db.query<{ permissions: string[]; active: boolean }>(sql`
    select coalesce(r.permissions, '{}') as permissions, u.enabled and u.deleted_at is null as active
    from app_user u
    left join user_role ur on ur.user_id = u.id
         and ur.place = (select min(f.place) from user_role f where f.user_id = u.id)
    left join role r on r.id = ur.role_id
    where u.id = ${id}`)
  return row ?? { permissions: [], active: false }
}

/** Permissions of the first role of each user, including deleted ones. */
export async function permissionsByUser(db: Database, ids: readonly number[]): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<{ id: number; permissions: string[] }>(sql`
    select u.id, coalesce(r.permissions, '{}') as permissions
    from app_user u
    left join user_role ur on ur.user_id = u.id
         and ur.place = (select min(f.place) from user_role f where f.user_id = u.id)
    left join role r on r.id = ur.role_id
    where u.id = any(${ids.map(String)}::int[])`)
  return new Map(rows.map(({ id, permissions }) => [id, permissions]))
}

/**
 * The highest level of an enabled account that can sign in with a password of the portal, as providers fail and give roles by
 * their own rules: 3 all permissions, 2 roles and administrators, 1 administrators, 0 none.
 * From 2 on, the account must not be anonymised.
 */
export async function administratorLevel(db: Database): Promise<number> {
  const [row] = await db.query<{ level: number | null }>(sql`
    select max(case
             when not r.permissions && ${[...permissionsOf('UsersAdmin')]} then 0
             when r.permissions && ${[...permissionsOf('Anonymization')]} then 1
             when r.permissions @> ${[...administratorPermissions]} then 3
             when r.permissions && ${[...permissionsOf('Roles')]} then 2
             else 1
           end)::int as level
    from app_user u
    join user_role ur on ur.user_id = u.id
         and ur.place = (select min(f.place) from user_role f where f.user_id = u.id)
    join role r on r.id = ur.role_id
    where u.enabled and u.deleted_at is null and not exists (select from user_identity i where i.user_id = u.id and i.linked_at is null)
      and not exists (select from user_role f join role q on q.id = f.role_id
                      where f.user_id = u.id and q.requires_factor and q.required_factor = 'provider')`)
  return row?.level ?? 0
}

/** Replaces all roles of a user by one. */
export async function setRole(db: Database, id: number, roleId: number): Promise<void> {
  await db.execute(sql`delete from user_role where user_id = ${id}`)
  await db.execute(sql`insert into user_role (user_id, role_id) values (${id}, ${roleId})`)
}
