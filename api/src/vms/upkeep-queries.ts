import type { ContentValues, GroupValues, SignValues, UpkeepContent } from '@rogatka/contract/vms-upkeep.ts'
import type { Database } from '../core/database.ts'
import { assignments, sql, valuesOf } from '../core/statement.ts'
import { notifySigns } from './queries.ts'

/** Versions of all groups. */
export async function groupVersions(db: Database): Promise<Map<number, number>> {
  const rows = await db.query<{ id: number; version: number }>(sql`select id, version from vms_group`)
  return new Map(rows.map(({ id, version }) => [id, version]))
}

/** Locks all groups of the station of a group until the transaction ends, in the order of their ids. */
export const lockGroupsOfStation = (db: Database, groupId: number) =>
  db.query(sql`
  select id from vms_group
  where location_id = (select location_id from vms_group where id = ${groupId})
  order by id
  for update`)

/** Increments the version of a group after a change of it or its signs, and notifies the sign controller. */
export async function incrementGroupVersion(db: Database, groupId: number): Promise<void> {
  await db.execute(sql`update vms_group set version = version + 1 where id = ${groupId}`)
  await notifySigns(db)
}

/** Renames a group and its variants 1 to n; removes other variants with their contents on signs. */
export async function updateGroup(db: Database, id: number, { description, variants }: GroupValues): Promise<void> {
  const rows = variants.map((name, index) => ({ group_id: id, variant: index + 1, description: name }))
  await db.execute(sql`
    insert into vms_variant ${valuesOf(rows)}
    on conflict (group_id, variant) do update set description = excluded.description`)
  await db.execute(sql`delete from vms_variant where group_id = ${id} and variant > ${variants.length}`)
  await db.execute(sql`
    delete from vms_sign_content
    where variant > ${variants.length} and sign_id in (select id from vms_sign where group_id = ${id})`)
  await db.execute(sql`
    update vms_group set description = ${description},
                         selected_variant = least(coalesce(selected_variant, 1), ${variants.length})
    where id = ${id}`)
}

export const deleteGroup = (db: Database, id: number) => db.execute(sql`delete from vms_group where id = ${id}`)

/** Changes a sign; an absent community is unchanged. */
export async function updateSign(db: Database, id: number, values: SignValues): Promise<void> {
  const columns = {
    road_number: values.roadNumber,
    chainage: values.chainage,
    driver: values.driver,
    host: values.host,
    port: values.port,
    shows_plates: values.showsPlates,
    ...(values.community !== undefined && { community: values.community }),
  }
  await db.execute(sql`update vms_sign set ${assignments(columns)} where id = ${id}`)
}

/** Removes the content of a sign in a variant. */
export const clearContent = (db: Database, signId: number, variant: number) =>
  db.execute(sql`delete from vms_sign_content where sign_id = ${signId} and variant = ${variant}`)

/** All contents by number, or one, with the number of signs that have it. */
export const selectContents = (db: Database, id?: number) =>
  db.query<UpkeepContent>(sql`
  select c.id, c.description, c.pictogram, c.graphic, c.lines, c.version, count(distinct s.sign_id)::int as uses
  from vms_content c
  left join vms_sign_content s on s.content_id = c.id
  where ${id === undefined ? sql`true` : sql`c.id = ${id}`}
  group by c.id
  order by c.id`)

export const lockContent = (db: Database, id: number) =>
  db.query(sql`select id from vms_content where id = ${id} for update`)

/** Whether a sign of a group that is enabled or has a pending command has the content. */
export async function isContentEnabled(db: Database, id: number): Promise<boolean> {
  const rows = await db.query(sql`
    select s.id
    from vms_sign_content c
    join vms_sign o on o.id = c.sign_id
    join vms_sign s on s.group_id = o.group_id
    where c.content_id = ${id}
      and (s.enabled_variant is not null
        or exists (select from vms_command m where m.sign_id = s.id and m.done_at is null))
    limit 1`)
  return rows.length > 0
}

/** Inserts a content; a description already used violates vms_content_description_unique. */
export async function insertContent(db: Database, content: ContentValues): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`insert into vms_content ${valuesOf(content)} returning id`)
  return row?.id as number
}

export const updateContent = (db: Database, id: number, content: ContentValues) =>
  db.execute(sql`update vms_content set ${assignments(content)}, version = version + 1 where id = ${id}`)

export const deleteContent = (db: Database, id: number) => db.execute(sql`delete from vms_content where id = ${id}`)
