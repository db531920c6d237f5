import type { RequiredFactor, RoleOrder } from '@rogatka/contract/options.ts'
import type { Role } from '@rogatka/contract/roles.ts'
import { sortPermissions } from '@rogatka/domain/users/grants.ts'
import type { Database } from '../core/database.ts'
import { containingPattern, type Statement, sql } from '../core/statement.ts'

type Row = Omit<Role, 'permissions'> & { permissions: string[] }

const columns = sql`
  r.id, r.name, r.description, r.permissions, r.requires_factor as "requiresFactor",
  case when r.requires_factor then coalesce(r.required_factor, 'any') else 'none' end as "requiredFactor", r.version,
  (select count(*)::int from user_role ur join app_user u on u.id = ur.user_id and u.deleted_at is null
   where ur.role_id = r.id) as users`

const toRole = (row: Row): Role => ({
  ...row,
  permissions: sortPermissions(row.permissions).map((name) => ({ name })),
})

type RoleSearch = {
  name?: string | undefined
  orderBy: RoleOrder
  descending: boolean
  limit: number | null
  offset: number
}

const ROLE_ORDERS: Record<RoleOrder, Statement> = {
  name: sql`lower(r.name)`,
  permissions: sql`cardinality(r.permissions)`,
  users: sql`users`,
}

/** Roles in an order; ties by name. */
export async function roles(db: Database, { name, orderBy, descending, limit, offset }: RoleSearch): Promise<Role[]> {
  const rows = await db.query<Row>(sql`
    select ${columns} from role r
    where ${name ? sql`r.name ilike ${containingPattern(name)}` : sql`true`}
    order by ${ROLE_ORDERS[orderBy]} ${descending ? sql`desc` : sql`asc`}, lower(r.name), r.id
    limit ${limit} offset ${offset}`)
  return rows.map(toRole)
}

export async function roleCount(db: Database, name: string | undefined): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from role r where ${name ? sql`r.name ilike ${containingPattern(name)}` : sql`true`}`)
  return row?.count ?? 0
}

export async function roleById(db: Database, id: number): Promise<Role | undefined> {
  const [row] = await db.query<Row>(sql`select ${columns} from role r where r.id = ${id}`)
  return row && toRole(row)
}

/** A role by its number, or its name without case. */
export async function findRole(db: Database, numberOrName: string) {
  const [row] = await db.query<{ id: number; name: string }>(sql`
    select id, name from role
    where ${/^\d{1,9}$/.test(numberOrName) ? sql`id = ${numberOrName}::int` : sql`lower(name) = lower(${numberOrName})`}`)
  return row
}

export type RoleValues = {
  name: string
  description: string | null
  permissions: string[]
  requiredFactor: RequiredFactor
}

/** The two columns of a required factor; the previous version knows the first. */
const factorColumns = (required: RequiredFactor) => ({
  requires: required !== 'none',
  kind: required === 'passkey' || required === 'provider' ? required : null,
})

export async function insertRole(db: Database, values: RoleValues): Promise<number> {
  const { name, description, permissions, requiredFactor } = values
  const { requires, kind } = factorColumns(requiredFactor)
  const [row] = await db.query<{ id: number }>(sql`
    insert into role (name, description, permissions, requires_factor, required_factor)
    values (${name}, ${description}, ${permissions}, ${requires}, ${kind}) returning id`)
  return row?.id as number
}

/** Updates a role; returns false if its version has changed. */
export async function updateRole(db: Database, id: number, version: number, values: RoleValues): Promise<boolean> {
  const { name, description, permissions, requiredFactor } = values
  const { requires, kind } = factorColumns(requiredFactor)
  const changed = await db.execute(sql`
    update role set name = ${name}, description = ${description}, permissions = ${permissions},
                    requires_factor = ${requires}, required_factor = ${kind}, version = version + 1
    where id = ${id} and version = ${version}`)
  return changed > 0
}

/** Deletes a role, also from deleted users; if other users have it, violates user_role_role_in_use. */
export async function deleteRole(db: Database, id: number): Promise<void> {
  await db.execute(sql`delete from user_role ur using app_user u
            where ur.role_id = ${id} and u.id = ur.user_id and u.deleted_at is not null`)
  await db.execute(sql`delete from role where id = ${id}`)
}

/** Whether a name is unused, ignoring case. */
export const isRoleNameFree = async (db: Database, name: string): Promise<boolean> => {
  const [row] = await db.query<{ free: boolean }>(sql`
    select not exists (select from role where lower(name) = lower(${name})) as free`)
  return row?.free ?? false
}

/** Inserts a role with a fixed id, or updates the permissions of an existing one, which then requires no specific factor. */
export const upsertRole = (
  db: Database,
  id: number,
  { name, description, permissions }: Omit<RoleValues, 'requiredFactor'>,
) =>
  db.execute(sql`
  insert into role (id, name, description, permissions) values (${id}, ${name}, ${description}, ${permissions})
  on conflict (id) do update set permissions = excluded.permissions, required_factor = null, version = role.version + 1`)
