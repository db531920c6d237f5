import type { Circuit } from '@rogatka/contract/vms.ts'
import type { Database } from '../core/database.ts'
import { sql, valuesOf } from '../core/statement.ts'

/** NOTIFY channel of new commands and of added or removed signs. */
export const CHANNEL = 'vms'

export const notifySigns = (db: Database) => db.query(sql`select pg_notify(${CHANNEL}, '')`)

export type Content = {
  id: number
  description: string
  pictogram: string | null
  graphic: number | null
  lines: string[]
}

export const contents = (db: Database) =>
  db.query<Content>(sql`
  select id, description, pictogram, graphic, lines from vms_content order by id`)

export async function contentById(db: Database, id: number): Promise<Content | undefined> {
  const [content] = await db.query<Content>(sql`
    select id, description, pictogram, graphic, lines from vms_content where id = ${id}`)
  return content
}

type Person = { id: number; username: string }

export type GroupRow = {
  id: number
  description: string
  locationId: number
  shortName: string
  selectedVariant: number | null
  variants: { variant: number; description: string }[]
}

/** Groups of signs by station; of some stations, or of all. */
export const groups = (db: Database, locationIds: readonly number[] | undefined) =>
  db.query<GroupRow>(sql`
  select g.id, g.description, g.location_id as "locationId", l.short_name as "shortName",
         g.selected_variant as "selectedVariant",
         coalesce(json_agg(json_build_object('variant', v.variant, 'description', v.description) order by v.variant)
                  filter (where v.variant is not null), '[]') as variants
  from vms_group g
  join location l on l.id = g.location_id
  left join vms_variant v on v.group_id = g.id
  ${locationIds?.length ? sql`where g.location_id = any(${[...locationIds]})` : sql``}
  group by g.id, l.id
  order by g.location_id, g.id`)

export type PlateRow = {
  id: number
  vehicleId: number
  vehicleCreatedAt: Date
  plateLpr: string | null
  allTrucks: boolean
  shown: string
  setBy: Person
  setAt: Date
  until: Date
  shownAt: Date | null
  endingAt: Date | null
}

export type SignRow = {
  id: number
  groupId: number
  locationId: number
  shortName: string
  number: number
  roadNumber: string
  chainage: string
  driver: 'simulated' | 'ntcip1203'
  host: string
  port: number
  community: string
  showsPlates: boolean
  enabledVariant: number | null
  enabledBy: Person | null
  enabledAt: Date | null
  contents: { variant: number; contentId: number }[]
  checkedAt: Date | null
  answeredAt: Date | null
  shown: string | null
  controlMode: string | null
  circuit: Circuit | null
  error: string | null
  faults: string[] | null
  plate: PlateRow | null
  busy: boolean
  /** Newest first. */
  unsettled: UnsettledCommand[]
}

/** A command without an answer: unknown whether the sign executed it. */
export type UnsettledCommand = {
  id: number
  kind: 'variant' | 'clear' | 'plate'
  variant: number | null
  plateId: number | null
  userId: number | null
  ip: string | null
  /** When the portal stopped waiting. */
  doneAt: Date
}

type PlateColumns = Omit<PlateRow, 'vehicleCreatedAt' | 'setAt' | 'until' | 'shownAt' | 'endingAt'> & {
  vehicleCreatedAt: string
  setAt: string
  until: string
  shownAt: string | null
  endingAt: string | null
}

const instantOrNull = (text: string | null) => (text === null ? null : new Date(text))

/** Signs with their last known state: of some groups, one sign, or all. */
export async function signs(
  db: Database,
  filter: { groupIds?: readonly number[]; id?: number } = {},
): Promise<SignRow[]> {
  const rows = await db.query<
    Omit<SignRow, 'plate' | 'unsettled'> & {
      plate: PlateColumns | null
      unsettled: (Omit<UnsettledCommand, 'doneAt'> & { doneAt: string })[]
    }
  >(sql`
    select s.id, s.group_id as "groupId", g.location_id as "locationId", l.short_name as "shortName", s.number,
           s.road_number as "roadNumber", s.chainage, s.driver, s.host, s.port, s.community, s.shows_plates as "showsPlates",
           s.enabled_variant as "enabledVariant", s.enabled_at as "enabledAt",
           case when u.id is not null then json_build_object('id', u.id, 'username', u.username) end as "enabledBy",
           coalesce(c.contents, '[]') as contents,
           t.checked_at as "checkedAt", t.answered_at as "answeredAt", t.shown, t.control_mode as "controlMode",
           t.circuit, t.error, t.faults,
           case when p.id is not null then json_build_object(
             'id', p.id, 'vehicleId', p.vehicle_id, 'vehicleCreatedAt', p.vehicle_created_at, 'plateLpr', p.plate_lpr,
             'allTrucks', p.all_trucks, 'shown', p.shown, 'setAt', p.set_at, 'until', p.until,
             'shownAt', p.shown_at, 'endingAt', p.ending_at,
             'setBy', json_build_object('id', pu.id, 'username', pu.username)) end as plate,
           o.sign_id is not null as busy, coalesce(n.unsettled, '[]') as unsettled
    from vms_sign s
    join vms_group g on g.id = s.group_id
    join location l on l.id = g.location_id
    left join app_user u on u.id = s.enabled_by
    left join (
      select sign_id, json_agg(json_build_object('variant', variant, 'contentId', content_id) order by variant) as contents
      from vms_sign_content group by sign_id
    ) c on c.sign_id = s.id
    left join vms_status t on t.sign_id = s.id
    left join vms_plate p on p.sign_id = s.id and p.ended_at is null
    left join app_user pu on pu.id = p.user_id
    left join (select distinct sign_id from vms_command where done_at is null) o on o.sign_id = s.id
    left join (
      select sign_id, json_agg(json_build_object(
               'id', id, 'kind', kind, 'variant', variant, 'plateId', plate_id, 'userId', user_id, 'ip', ip,
               'doneAt', done_at) order by id desc) as unsettled
      from vms_command where is_unsettled group by sign_id
    ) n on n.sign_id = s.id
    where ${filter.groupIds ? sql`s.group_id = any(${[...filter.groupIds]})` : sql`true`}
      and ${filter.id === undefined ? sql`true` : sql`s.id = ${filter.id}`}
    order by s.group_id, s.number`)
  return rows.map(({ plate, unsettled, ...row }) => ({
    ...row,
    unsettled: unsettled.map((command) => ({ ...command, doneAt: new Date(command.doneAt) })),
    plate: plate && {
      ...plate,
      vehicleCreatedAt: new Date(plate.vehicleCreatedAt),
      setAt: new Date(plate.setAt),
      until: new Date(plate.until),
      shownAt: instantOrNull(plate.shownAt),
      endingAt: instantOrNull(plate.endingAt),
    },
  }))
}

export const signById = async (db: Database, id: number): Promise<SignRow | undefined> => (await signs(db, { id }))[0]

/** The sign of a station that shows plates; the first if several. */
export async function findPlateSign(db: Database, locationId: number): Promise<SignRow | undefined> {
  const found = await groups(db, [locationId])
  const all = await signs(db, { groupIds: found.map(({ id }) => id) })
  return all.find(({ showsPlates }) => showsPlates)
}

/** Locks a group until the transaction ends; false if it does not exist. */
export async function lockGroup(db: Database, groupId: number): Promise<boolean> {
  const rows = await db.query(sql`select id from vms_group where id = ${groupId} for update`)
  return rows.length > 0
}

export const selectVariant = (db: Database, groupId: number, variant: number) =>
  db.execute(sql`
  update vms_group set selected_variant = ${variant} where id = ${groupId}`)

export type NewCommand = {
  signId: number
  kind: 'variant' | 'clear' | 'plate' | 'restore'
  variant?: number
  plateId?: number
  /** Null: the portal itself. */
  userId: number | null
  ip: string | null
  askedAt: Date
  deadline: Date
}

/** Enqueues commands; pending ones of the same signs are superseded. Returns their ids by sign. */
export async function insertCommands(db: Database, commands: readonly NewCommand[]): Promise<Map<number, number>> {
  const ids = new Map<number, number>()
  for (const { signId, kind, variant = null, plateId = null, userId, ip, askedAt, deadline } of commands) {
    const [row] = await db.query<{ id: number }>(sql`
      insert into vms_command (sign_id, kind, variant, plate_id, user_id, ip, asked_at, deadline)
      values (${signId}, ${kind}, ${variant}, ${plateId}, ${userId}, ${ip}, ${askedAt}::timestamptz, ${deadline}::timestamptz)
      returning id`)
    ids.set(signId, row?.id as number)
  }
  await notifySigns(db)
  return ids
}

/** The outcomes of commands: null while pending. */
export const commandOutcomes = (db: Database, ids: readonly number[]) =>
  db.query<{ id: number; outcome: string | null }>(sql`
  select id, outcome from vms_command where id = any(${ids.map(String)}::bigint[])`)

type NewPlate = {
  signId: number
  locationId: number
  vehicleId: number
  vehicleCreatedAt: Date
  plateLpr: string | null
  allTrucks: boolean
  shown: string
  userId: number
  ip: string
  setAt: Date
  until: Date
}

/** Claims the sign for a vehicle; undefined if another vehicle has it. */
export async function claimSign(db: Database, plate: NewPlate): Promise<number | undefined> {
  const [row] = await db.query<{ id: number }>(sql`
    insert into vms_plate (sign_id, location_id, vehicle_id, vehicle_created_at, plate_lpr, all_trucks, shown,
                           user_id, ip, set_at, until)
    values (${plate.signId}, ${plate.locationId}, ${plate.vehicleId}, ${plate.vehicleCreatedAt}::timestamptz, ${plate.plateLpr},
            ${plate.allTrucks}::boolean, ${plate.shown}, ${plate.userId}, ${plate.ip}, ${plate.setAt}::timestamptz, ${plate.until}::timestamptz)
    on conflict (sign_id) where ended_at is null do nothing
    returning id`)
  return row?.id
}

/** Marks a plate for removal; the first reason is kept. */
export const markPlateEnding = (db: Database, plateId: number, reason: string, now: Date) =>
  db.execute(sql`
  update vms_plate set ending_at = ${now}::timestamptz, ending_reason = ${reason}
  where id = ${plateId} and ending_at is null`)

type NewGroup = { locationId: number; description: string; variants: string[] }

/** Inserts a group with its variants, numbered from 1. */
export async function insertGroup(db: Database, { locationId, description, variants }: NewGroup): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    insert into vms_group (location_id, description, selected_variant)
    values (${locationId}, ${description}, ${variants.length > 0 ? 1 : null})
    returning id`)
  const groupId = row?.id as number
  const rows = variants.map((name, index) => ({ group_id: groupId, variant: index + 1, description: name }))
  if (rows.length > 0) await db.execute(sql`insert into vms_variant ${valuesOf(rows)}`)
  return groupId
}

/** Inserts a content, or updates the one with this description. */
export async function upsertContent(db: Database, content: Omit<Content, 'id'>): Promise<number> {
  const { description, pictogram, graphic, lines } = content
  const [row] = await db.query<{ id: number }>(sql`
    insert into vms_content (description, pictogram, graphic, lines)
    values (${description}, ${pictogram}, ${graphic}, ${lines})
    on conflict (description) do update
    set pictogram = excluded.pictogram, graphic = excluded.graphic, lines = excluded.lines
    returning id`)
  return row?.id as number
}

export type NewSign = {
  groupId: number
  roadNumber: string
  chainage: string
  driver: SignRow['driver']
  host: string
  port: number
  community: string
  showsPlates: boolean
  /** By variant, from 1. */
  contentIds: number[]
}

/** Inserts a sign at the end of its group, with its content per variant. */
export async function insertSign(db: Database, sign: NewSign): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    insert into vms_sign (group_id, number, road_number, chainage, driver, host, port, community, shows_plates)
    select ${sign.groupId}, coalesce(max(number), 0) + 1, ${sign.roadNumber}, ${sign.chainage}, ${sign.driver},
           ${sign.host}, ${sign.port}, ${sign.community}, ${sign.showsPlates}::boolean
    from vms_sign where group_id = ${sign.groupId}
    returning id`)
  const signId = row?.id as number
  for (const [index, contentId] of sign.contentIds.entries()) await setContent(db, signId, index + 1, contentId)
  await notifySigns(db)
  return signId
}

export const setContent = (db: Database, signId: number, variant: number, contentId: number) =>
  db.execute(sql`
  insert into vms_sign_content (sign_id, variant, content_id) values (${signId}, ${variant}, ${contentId})
  on conflict (sign_id, variant) do update set content_id = excluded.content_id`)

export const moveSign = (db: Database, signId: number, host: string, port: number) =>
  db.execute(sql`
  update vms_sign set host = ${host}, port = ${port} where id = ${signId}`)

export async function deleteSign(db: Database, signId: number): Promise<boolean> {
  const deleted = await db.execute(sql`delete from vms_sign where id = ${signId}`)
  return deleted > 0
}
