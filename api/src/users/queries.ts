import { administratorPermissions, hasAnyRight, permissionsOf, type Right } from '@rogatka/contract/access.ts'
import type { User } from '@rogatka/contract/users.ts'
import { PHONE_PREFIX } from '@rogatka/contract/users.ts'
import type { Database, Pool } from '../core/database.ts'
import { LOCKS } from '../core/locks.ts'
import { Refusal } from '../core/refusal.ts'
import type { Session } from '../core/sessions.ts'
import { assignments, sql, valuesOf } from '../core/statement.ts'

type Row = Omit<User, 'phoneNumberDir' | 'manageable'> & {
  permissions: string[]
  mustChangePassword: boolean
  checkpointAdditionalTime: number
}
/** A user with what decides about them: the permissions of the first role. */
export type Account = Row & { phoneNumberDir: string }

const selectUsers = sql`
  select u.id, u.username, u.first_name as "firstName", u.last_name as "lastName", u.email,
         u.phone_number as "phoneNumber", u.enabled, u.description, u.company, u.organization,
         u.send_user_logs_to_server as "sendUserLogsToServer", u.ticket, u.last_login_at as "lastLogin",
         u.password_updated_at as "passwordUpdatedAt", u.must_change_password as "mustChangePassword",
         u.checkpoint_additional_time as "checkpointAdditionalTime", u.version,
         coalesce(json_agg(json_build_object('id', r.id, 'name', r.name) order by ur.place)
                  filter (where r.id is not null), '[]') as roles,
         coalesce((array_agg(to_json(r.permissions) order by ur.place))[1], '[]'::json) as permissions
  from app_user u
  left join user_role ur on ur.user_id = u.id
  left join role r on r.id = ur.role_id`

const toAccount = (row: Row): Account => ({
  ...row,
  phoneNumberDir: row.phoneNumber?.slice(0, PHONE_PREFIX.length) ?? PHONE_PREFIX,
})

/** A user with their roles, the first one first; undefined when deleted or never there. */
export async function userById(db: Database, id: number): Promise<Account | undefined> {
  const [row] = await db.query<Row>(sql`${selectUsers} where u.id = ${id} and u.deleted_at is null group by u.id`)
  return row && toAccount(row)
}

const named = (username: string | undefined) =>
  username ? sql`u.username ilike ${`%${username.replace(/[\\%_]/g, '\\$&')}%`}` : sql`true`

type UserSearch = { username?: string | undefined; descending: boolean; limit: number; offset: number }

/** Users by name. */
export async function users(db: Database, { username, descending, limit, offset }: UserSearch): Promise<Account[]> {
  const rows = await db.query<Row>(sql`
    ${selectUsers}
    where u.deleted_at is null and ${named(username)}
    group by u.id
    order by lower(u.username) ${descending ? sql`desc` : sql`asc`}
    limit ${limit} offset ${offset}`)
  return rows.map(toAccount)
}

export async function userCount(db: Database, username: string | undefined): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from app_user u where u.deleted_at is null and ${named(username)}`)
  return row?.count ?? 0
}

/** What a password is checked against; without a lock, so that checking may take its time. */
export const findCredentials = async (db: Database, id: number) => {
  const [row] = await db.query<{ username: string; passwordHash: string }>(sql`
    select username, password_hash as "passwordHash" from app_user where id = ${id} and enabled and deleted_at is null`)
  return row
}

/** Locks an account for a change of its owner; returns whether it still has the password that was verified. */
export async function lockVerified(db: Database, id: number, passwordHash: string): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from app_user
    where id = ${id} and enabled and deleted_at is null and password_hash = ${passwordHash} for no key update`)
  return rows.length > 0
}

/** Sets a password; `mustChange` when somebody else than its owner chose it. */
export const setPassword = (db: Database, id: number, passwordHash: string, now: Date, mustChange = false) =>
  db.execute(sql`
  update app_user
  set password_hash = ${passwordHash}, password_updated_at = ${now}::timestamptz, must_change_password = ${mustChange}::boolean
  where id = ${id}`)

/** The next sign-in of the user asks for a new password. */
export const requirePasswordChange = (db: Database, id: number) =>
  db.execute(sql`
  update app_user set must_change_password = true where id = ${id}`)

export const setEnabled = (db: Database, id: number) =>
  db.execute(sql`
  update app_user set enabled = true, version = version + 1 where id = ${id}`)

export const hasAnyUser = async (db: Database): Promise<boolean> => {
  const [row] = await db.query<{ any: boolean }>(sql`select exists (select from app_user) as any`)
  return row?.any ?? false
}

/** One change of accounts or roles at a time: so the last administrator cannot be lost by two at once. */
export const lockAccounts = (db: Database) => db.query(sql`select pg_advisory_xact_lock(${LOCKS.accounts})`)

/** Rights of a user as they are now; `active`: neither disabled nor deleted. */
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

/** Permissions of the first role of each of these users, deleted ones among them. */
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
 * How much the strongest enabled account may do: 3 everything, 2 roles and administrators, 1 administrators, 0 neither.
 * From 2 on, the account must not be restricted to anonymised data.
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
    where u.enabled and u.deleted_at is null`)
  return row?.level ?? 0
}

export type UserValues = {
  username: string
  firstName: string
  lastName: string
  email: string | null
  phoneNumber?: string | null
  enabled?: boolean
  ticket?: boolean
  description?: string | null
  company?: string | null
  /** Absent: stays as it is, as does the next one. */
  organization?: string | null
  sendUserLogsToServer?: boolean
}

const columnsOf = (values: UserValues) => ({
  username: values.username,
  first_name: values.firstName,
  last_name: values.lastName,
  email: values.email,
  phone_number: values.phoneNumber ?? null,
  enabled: values.enabled ?? true,
  ticket: values.ticket ?? false,
  description: values.description ?? null,
  company: values.company ?? null,
  ...(values.organization !== undefined && { organization: values.organization }),
  ...(values.sendUserLogsToServer !== undefined && { send_user_logs_to_server: values.sendUserLogsToServer }),
})

type NewUser = UserValues & { passwordHash: string; roleId: number }

/** Adds a user with one role; a username that is taken (in any case of letters) violates app_user_username_unique. */
export async function insertUser(
  db: Database,
  { passwordHash, roleId, ...values }: NewUser,
  now: Date,
): Promise<number> {
  const row = { ...columnsOf(values), password_hash: passwordHash, password_updated_at: now }
  const [added] = await db.query<{ id: number }>(sql`
    with added as (insert into app_user ${valuesOf(row)} returning id)
    insert into user_role (user_id, role_id) select id, ${roleId} from added returning user_id as id`)
  return added?.id as number
}

/** Changes a user who still has the version which the caller saw; answers whether they had. */
export async function updateUser(db: Database, id: number, version: number, values: UserValues): Promise<boolean> {
  const changed = await db.execute(sql`
    update app_user set ${assignments(columnsOf(values))}, version = version + 1
    where id = ${id} and version = ${version} and deleted_at is null`)
  return changed > 0
}

/** Gives a user one role in place of all that they had. */
export async function setRole(db: Database, id: number, roleId: number): Promise<void> {
  await db.execute(sql`delete from user_role where user_id = ${id}`)
  await db.execute(sql`insert into user_role (user_id, role_id) values (${id}, ${roleId})`)
}

export const deleteUser = (db: Database, id: number, now: Date) =>
  db.execute(sql`
  update app_user set deleted_at = ${now}::timestamptz, enabled = false, version = version + 1 where id = ${id}`)

/** A number as it is stored: digits alone behind the prefix, +48 where none was given. */
export const normalisePhoneNumber = (text: string): string => {
  const digits = text.replace(/[\s-]/g, '')
  return digits.startsWith('+') ? digits : PHONE_PREFIX + digits
}

/** The caller of a change, with the rights that they hold at the moment of the change. */
export type Caller = Pick<Session, 'userId' | 'permissions'>

/**
 * Runs a change of accounts or roles in a transaction, one at a time over all processes, and rolls it back if it leaves
 * the portal without its last administrator. `caller` has the rights of the moment: those of the session were read before
 * the lock, and another change may have taken them away while this one waited.
 * @throws Refusal `forbidden` if the caller has lost every right of `anyOf`, `unauthorized` if they were disabled or deleted
 */
export async function changeAccounts<T>(
  db: Pool,
  session: Session,
  anyOf: readonly Right[],
  change: (db: Database, caller: Caller) => Promise<T>,
): Promise<T> {
  const changed = await db.transaction(async (db) => {
    await lockAccounts(db)
    const before = await administratorLevel(db)
    const { permissions, active } = await actorById(db, session.userId)
    if (!hasAnyRight(permissions, anyOf)) throw new Refusal('forbidden', 403)
    const result = await change(db, { userId: session.userId, permissions })
    if ((await administratorLevel(db)) < before) throw new Refusal('last-administrator', 422)
    // Last, because whoever deletes the only administrator while being deleted should read why that is refused.
    if (!active) throw new Refusal('unauthorized', 401)
    return { result }
  })
  return changed.result
}
