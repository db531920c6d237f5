import type { UserOrder } from '@rogatka/contract/options.ts'
import type { User } from '@rogatka/contract/users.ts'
import { PHONE_PREFIX } from '@rogatka/contract/users.ts'
import type { Database } from '../core/database.ts'
import { assignments, containingPattern, type Statement, sql, valuesOf } from '../core/statement.ts'

type Row = Omit<User, 'phoneNumberDir' | 'manageable'> & {
  permissions: string[]
  mustChangePassword: boolean
  checkpointAdditionalTime: number
}
/** A user with the permissions of their first role, which apply. */
export type Account = Row & { phoneNumberDir: string }

const selectUsers = sql`
  select u.id, u.username, u.first_name as "firstName", u.last_name as "lastName", u.email,
         u.phone_number as "phoneNumber", u.enabled, u.description, u.company, u.organization,
         u.send_user_logs_to_server as "sendUserLogsToServer", u.ticket, u.last_login_at as "lastLogin",
         u.password_updated_at as "passwordUpdatedAt", u.must_change_password as "mustChangePassword",
         u.checkpoint_additional_time as "checkpointAdditionalTime", u.version,
         exists (select from authenticator a where a.user_id = u.id)
           or exists (select from passkey p where p.user_id = u.id) as "hasFactor",
         (select i.provider from user_identity i where i.user_id = u.id and i.linked_at is null) as provider,
         (select i.provider from user_identity i where i.user_id = u.id and i.linked_at is not null) as "linkedProvider",
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

/** A user with their roles in order; undefined if deleted or unknown. */
export async function userById(db: Database, id: number): Promise<Account | undefined> {
  const [row] = await db.query<Row>(sql`${selectUsers} where u.id = ${id} and u.deleted_at is null group by u.id`)
  return row && toAccount(row)
}

const usernameCondition = (username: string | undefined) =>
  username ? sql`u.username ilike ${containingPattern(username)}` : sql`true`

type UserSearch = {
  username?: string | undefined
  orderBy: UserOrder
  descending: boolean
  limit: number
  offset: number
}

const USER_ORDERS: Record<UserOrder, Statement> = {
  username: sql`lower(u.username)`,
  name: sql`nullif(concat_ws(' ', u.last_name, u.first_name), '') collate "und-x-icu"`,
  role: sql`(array_agg(r.name order by ur.place))[1] collate "und-x-icu"`,
  enabled: sql`u.enabled`,
  lastLogin: sql`u.last_login_at`,
}

/** Users in an order; missing values last, ties by username. */
export async function users(
  db: Database,
  { username, orderBy, descending, limit, offset }: UserSearch,
): Promise<Account[]> {
  const rows = await db.query<Row>(sql`
    ${selectUsers}
    where u.deleted_at is null and ${usernameCondition(username)}
    group by u.id
    order by ${USER_ORDERS[orderBy]} ${descending ? sql`desc` : sql`asc`} nulls last, lower(u.username)
    limit ${limit} offset ${offset}`)
  return rows.map(toAccount)
}

export async function userCount(db: Database, username: string | undefined): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from app_user u where u.deleted_at is null and ${usernameCondition(username)}`)
  return row?.count ?? 0
}

export const enableUser = (db: Database, id: number) =>
  db.execute(sql`
  update app_user set enabled = true, version = version + 1 where id = ${id}`)

export const hasAnyUser = async (db: Database): Promise<boolean> => {
  const [row] = await db.query<{ any: boolean }>(sql`select exists (select from app_user) as any`)
  return row?.any ?? false
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
  /** If absent, unchanged, as is the next one. */
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

type NewUser = UserValues & { passwordHash: string }

/** Inserts a user without a role; a username already used, ignoring case, violates app_user_username_unique. */
export async function insertUser(db: Database, { passwordHash, ...values }: NewUser, now: Date): Promise<number> {
  const row = { ...columnsOf(values), password_hash: passwordHash, password_updated_at: now }
  const [added] = await db.query<{ id: number }>(sql`
    insert into app_user ${valuesOf(row)} returning id`)
  return added?.id as number
}

/** Updates a user; returns false if their version has changed. */
export async function updateUser(db: Database, id: number, version: number, values: UserValues): Promise<boolean> {
  const changed = await db.execute(sql`
    update app_user set ${assignments(columnsOf(values))}, version = version + 1
    where id = ${id} and version = ${version} and deleted_at is null`)
  return changed > 0
}

export const deleteUser = (db: Database, id: number, now: Date) =>
  db.execute(sql`
  update app_user set deleted_at = ${now}::timestamptz, enabled = false, version = version + 1 where id = ${id}`)

type OwnData = { firstName: string; lastName: string; email: string | null; phoneNumber: string | null }

/** Updates a user's own account data and its version, so that concurrent edits conflict. */
export const updateSelf = (db: Database, userId: number, { firstName, lastName, email, phoneNumber }: OwnData) =>
  db.execute(sql`
  update app_user
  set first_name = ${firstName}, last_name = ${lastName}, email = ${email}, phone_number = ${phoneNumber},
      version = version + 1
  where id = ${userId}`)

export const saveSettings = (db: Database, userId: number, settings: { checkpointAdditionalTime: number }) =>
  db.execute(sql`
  update app_user set checkpoint_additional_time = ${settings.checkpointAdditionalTime} where id = ${userId}`)
