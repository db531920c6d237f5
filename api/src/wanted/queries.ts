import { locationOf } from '@rogatka/contract/ingest.ts'
import type { TypeOfContact, TypeOfList, WantedContact, WantedHit, WantedPlate } from '@rogatka/contract/wanted.ts'
import { misreadForm } from '@rogatka/domain/vehicle/plateMatch.ts'
import { clockOf, minutesOf } from '@rogatka/domain/wanted/quiet.ts'
import type { Mark } from '@rogatka/domain/wanted/sight.ts'
import type { Sql } from '../core/database.ts'

/** A passage, as everywhere. */
type Key = { locationId: number; createdAt: Date; id: number }

type Page = { page: number; limit: number; orderDirection: 'asc' | 'desc' }

/** Whose entries, and of which lists. */
type PlateSearch = { types: readonly TypeOfList[]; userId: number | undefined }

const direction = (sql: Sql, { orderDirection }: Page) => (orderDirection === 'asc' ? sql`asc` : sql`desc`)
const window = (sql: Sql, { page, limit }: Page) => sql`limit ${limit} offset ${(page - 1) * limit}`
const ownedBy = (sql: Sql, userId: number | undefined) =>
  userId === undefined ? sql`true` : sql`w.user_id = ${userId}`

const plateColumns = (sql: Sql) => sql`
  w.id, w.plate as "plateLpr", w.type_of_list as "typeOfList", w.description, w.user_id as "userId",
  json_build_object('id', w.user_id, 'username', u.username) as user,
  coalesce(h.hits, 0) as hits,
  w.created_at as "createdAt", w.expires_at as "expiresAt", w.allow_misread as "allowMisread"`

/** Joined, since Citus refuses a correlated count; of these entries alone, since there are hits of many more. */
const hitsOf = (sql: Sql, ids: readonly number[]) => sql`
  left join (
    select wanted_id, count(*)::int as hits from wanted_hit
    where false_at is null and wanted_id = any(${[...ids]}::bigint[])
    group by wanted_id
  ) h on h.wanted_id = w.id`

export async function platePage(sql: Sql, { types, userId }: PlateSearch, page: Page) {
  const condition = sql`w.type_of_list = any(${[...types]}::smallint[]) and ${ownedBy(sql, userId)}`
  const order = sql`order by w.created_at ${direction(sql, page)}, w.id ${direction(sql, page)}`
  const found = await sql<{ id: number }[]>`
    select w.id from wanted_plate w where ${condition} ${order} ${window(sql, page)}`
  const ids = found.map(({ id }) => id)
  const content = await sql<WantedPlate[]>`
    select ${plateColumns(sql)}
    from wanted_plate w join app_user u on u.id = w.user_id ${hitsOf(sql, ids)}
    where w.id = any(${ids}::bigint[])
    ${order}`
  const [count] = await sql<{ total: number }[]>`select count(*)::int as total from wanted_plate w where ${condition}`
  return { content: [...content], totalCount: count?.total ?? 0 }
}

export async function plateById(sql: Sql, id: number): Promise<WantedPlate | undefined> {
  const [plate] = await sql<WantedPlate[]>`
    select ${plateColumns(sql)}
    from wanted_plate w join app_user u on u.id = w.user_id ${hitsOf(sql, [id])}
    where w.id = ${id}`
  return plate
}

type NewPlate = Pick<WantedPlate, 'plateLpr' | 'typeOfList' | 'description' | 'allowMisread'> & {
  userId: number
  expiresAt: Date | null
}

/** Puts a plate on a list; one that has expired is put there anew. Undefined where it stands and holds. */
export async function insertPlate(sql: Sql, plate: NewPlate, now: Date): Promise<number | undefined> {
  const { plateLpr, typeOfList, description, allowMisread, userId, expiresAt } = plate
  const [added] = await sql<{ id: number }[]>`
    insert into wanted_plate as w (created_at, expires_at, user_id, type_of_list, allow_misread, plate, misread, description)
    values (${now}, ${expiresAt}, ${userId}, ${typeOfList}, ${allowMisread}, ${plateLpr}, ${misreadForm(plateLpr)},
            ${description})
    on conflict (user_id, type_of_list, plate) do update set
      created_at = excluded.created_at, expires_at = excluded.expires_at, allow_misread = excluded.allow_misread,
      description = excluded.description
      where w.expires_at <= excluded.created_at
    returning id`
  return added?.id
}

/** Takes a plate off its list; answers its passages since an instant, which may still be live. */
export async function deletePlate(sql: Sql, id: number, since: Date): Promise<Pick<Key, 'id' | 'createdAt'>[]> {
  await sql`delete from wanted_plate where id = ${id}`
  const gone = await sql<Pick<Key, 'id' | 'createdAt'>[]>`
    delete from wanted_hit where wanted_id = ${id} returning vehicle_id as id, created_at as "createdAt"`
  return gone.filter(({ createdAt }) => createdAt >= since)
}

export async function hitPage(sql: Sql, wantedId: number, page: Page) {
  const content = await sql<WantedHit[]>`
    select h.vehicle_id as id, h.created_at as "createdAt", h.lane_number as "laneNumber",
           h.plate_lpr as "plateLpr", h.nationality, h.false_at is not null as "falseHit",
           json_build_object('id', l.id, 'shortName', l.short_name) as location
    from wanted_hit h join location l on l.id = h.location_id
    where h.wanted_id = ${wantedId}
    order by h.created_at ${direction(sql, page)}, h.vehicle_id ${direction(sql, page)}
    ${window(sql, page)}`
  const [count] = await sql<{ total: number }[]>`
    select count(*)::int as total from wanted_hit where wanted_id = ${wantedId}`
  return { content: [...content], totalCount: count?.total ?? 0 }
}

/** Says whether a hit is false; answers the plate of it as it was read, undefined where there is no such hit. */
export async function judgeHit(
  sql: Sql,
  { wantedId, key, falseBy }: { wantedId: number; key: Omit<Key, 'locationId'>; falseBy: number | null },
  now: Date,
): Promise<string | undefined> {
  const [hit] = await sql<{ plateLpr: string }[]>`
    update wanted_hit set false_at = ${falseBy && now}, false_by = ${falseBy}
    where location_id = ${locationOf(key.id)} and created_at = ${key.createdAt} and vehicle_id = ${key.id}
      and wanted_id = ${wantedId}
    returning plate_lpr as "plateLpr"`
  return hit?.plateLpr
}

/** What the lists of all users say of these passages, by passage; nothing where a hit is false. */
export async function marksOf(sql: Sql, keys: readonly Key[]) {
  if (keys.length === 0) return []
  return sql<(Mark & Pick<Key, 'id' | 'createdAt'>)[]>`
    select h.vehicle_id as id, h.created_at as "createdAt", w.user_id as "userId", w.type_of_list as "typeOfList",
           w.plate, w.description
    from unnest(
      ${keys.map(({ locationId }) => String(locationId))}::int[],
      ${keys.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
      ${keys.map(({ id }) => String(id))}::bigint[]
    ) as k (location_id, created_at, vehicle_id)
    join wanted_hit h using (location_id, created_at, vehicle_id)
    join wanted_plate w on w.id = h.wanted_id
    where h.false_at is null
    order by w.created_at, w.id`
}

/** Forgets the hits of vehicles that are no longer kept, and those whose entry went while they came. */
export async function removeHits(sql: Sql, before: Date): Promise<void> {
  await sql`delete from wanted_hit where created_at < ${before}`
  await sql`delete from wanted_hit where wanted_id not in (select id from wanted_plate)`
}

type ContactRow = Omit<WantedContact, 'quietHours'> & { quietFrom: number | null; quietTo: number | null }

const contactColumns = (sql: Sql) => sql`
  w.id, w.contact, w.type_of_contact as "typeOfContact", w.description, w.user_id as "userId",
  json_build_object('id', w.user_id, 'username', u.username) as user, w.created_at as "createdAt",
  w.quiet_from as "quietFrom", w.quiet_to as "quietTo"`

const toContact = ({ quietFrom, quietTo, ...row }: ContactRow): WantedContact => ({
  ...row,
  quietHours: quietFrom === null || quietTo === null ? null : { from: clockOf(quietFrom), to: clockOf(quietTo) },
})

export async function contactPage(sql: Sql, userId: number | undefined, page: Page) {
  const content = await sql<ContactRow[]>`
    select ${contactColumns(sql)}
    from wanted_contact w join app_user u on u.id = w.user_id
    where ${ownedBy(sql, userId)}
    order by w.created_at ${direction(sql, page)}, w.id ${direction(sql, page)}
    ${window(sql, page)}`
  const [count] = await sql<{ total: number }[]>`
    select count(*)::int as total from wanted_contact w where ${ownedBy(sql, userId)}`
  return { content: content.map(toContact), totalCount: count?.total ?? 0 }
}

export async function contactById(sql: Sql, id: number): Promise<WantedContact | undefined> {
  const [row] = await sql<ContactRow[]>`
    select ${contactColumns(sql)} from wanted_contact w join app_user u on u.id = w.user_id where w.id = ${id}`
  return row && toContact(row)
}

export type NewContact = Pick<WantedContact, 'contact' | 'description' | 'quietHours' | 'userId'> & {
  typeOfContact: TypeOfContact
}

/** Adds a contact; the same of the same user violates wanted_contact_once. */
export async function insertContact(sql: Sql, contact: NewContact, now: Date): Promise<number> {
  const { quietHours: quiet } = contact
  const [added] = await sql<{ id: number }[]>`
    insert into wanted_contact (created_at, user_id, type_of_contact, contact, description, quiet_from, quiet_to)
    values (${now}, ${contact.userId}, ${contact.typeOfContact}, ${contact.contact}, ${contact.description},
            ${quiet && minutesOf(quiet.from)}, ${quiet && minutesOf(quiet.to)})
    returning id`
  return added?.id as number
}

export const deleteContact = (sql: Sql, id: number) => sql`delete from wanted_contact where id = ${id}`

/** Whether there is anybody of this number, to give an entry to. */
export async function userIsThere(sql: Sql, userId: number): Promise<boolean> {
  const [row] = await sql`select from app_user where id = ${userId} and deleted_at is null`
  return row !== undefined
}
