import type { AlarmKind, AlarmPriority } from '@rogatka/contract/alarms.ts'
import type { Database } from '../core/database.ts'
import { deleteInBatches } from '../core/delete-batches.ts'
import { type Statement, sql, valuesOf } from '../core/statement.ts'

/** NOTIFY channel of changed alarms; the payload `observe` makes the leader observe all sources at once. */
export const CHANNEL = 'alarms'

export const notifyAlarms = (db: Database) => db.query(sql`select pg_notify(${CHANNEL}, '')`)

/** Details of an alarm besides its kind; `subject` identifies what it is about. */
export type AlarmDetails = {
  locationId: number | null
  laneNumber: number | null
  signId: number | null
  signNumber: number | null
  vehicle: { id: number; createdAt: Date; plateLpr: string | null; nationality: string | null } | null
  name: string | null
  value: number | null
}

export type AlarmRow = {
  id: number
  kind: AlarmKind
  priority: AlarmPriority
  subject: string
  locationId: number | null
  shortName: string | null
  roadNumber: string | null
  laneNumber: number | null
  signId: number | null
  signNumber: number | null
  vehicleId: number | null
  vehicleCreatedAt: Date | null
  plateLpr: string | null
  nationality: string | null
  name: string | null
  value: number | null
  raisedAt: Date
  raisedTimes: Date[]
  count: number
  endsAt: Date | null
  clearedAt: Date | null
  isMissed: boolean
  acknowledgedAt: Date | null
  acknowledgedBy: string | null
  shelvedUntil: Date | null
  shelvedBy: string | null
  shelfReason: string | null
  closedAt: Date | null
}

const selectAlarms = sql`
  select a.id, a.kind, a.priority, a.subject, a.location_id as "locationId", l.short_name as "shortName",
         l.road_number as "roadNumber", a.lane_number as "laneNumber", a.sign_id as "signId",
         a.sign_number as "signNumber", a.vehicle_id as "vehicleId", a.vehicle_created_at as "vehicleCreatedAt",
         a.plate_lpr as "plateLpr", a.nationality, a.name, a.value::float8 as value, a.raised_at as "raisedAt",
         a.raised_times as "raisedTimes", a.count,
         a.ends_at as "endsAt", a.cleared_at as "clearedAt", a.is_missed as "isMissed",
         a.acknowledged_at as "acknowledgedAt", a.acknowledged_by as "acknowledgedBy",
         a.shelved_until as "shelvedUntil", a.shelved_by as "shelvedBy", a.shelf_reason as "shelfReason",
         a.closed_at as "closedAt"
  from alarm a
  left join location l on l.id = a.location_id`

const selectRows = (db: Database, rest: Statement) => db.query<AlarmRow>(sql`${selectAlarms} ${rest}`)

/** Open alarms. */
export const openAlarms = (db: Database) => selectRows(db, sql`where a.closed_at is null order by a.id`)

/** Alarms of these kinds that were open at an instant, in their present state. */
export const alarmsOpenAt = (db: Database, kinds: readonly AlarmKind[], at: Date) =>
  selectRows(
    db,
    sql`where a.raised_at < ${at}::timestamptz and a.kind = any(${[...kinds]})
      and (a.closed_at is null or a.closed_at >= ${at}::timestamptz)`,
  )

/** Open alarms, and those cleared since an instant: raised again, they continue. */
export const currentAlarms = (db: Database, clearedSince: Date) =>
  selectRows(
    db,
    sql`where a.closed_at is null or (a.closed_at >= ${clearedSince}::timestamptz and a.cleared_at >= ${clearedSince}::timestamptz)
    order by a.id`,
  )

/** An alarm, open or closed, locked until the transaction ends. */
export async function lockAlarm(db: Database, id: number): Promise<AlarmRow | undefined> {
  await db.query(sql`select from alarm where id = ${id} for update`)
  return (await selectRows(db, sql`where a.id = ${id}`))[0]
}

/** When alarms were raised since an instant, with their kinds. */
export const raisedSince = (db: Database, since: Date) =>
  db.query<{ kind: AlarmKind; raisedAt: Date }>(sql`
  select kind, raised_at as "raisedAt" from alarm where raised_at >= ${since}::timestamptz`)

/** When the last alarm of these kinds left the list. */
export async function lastClosed(db: Database, kinds: readonly AlarmKind[]): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(sql`
    select max(closed_at) as at from alarm where closed_at is not null and kind = any(${[...kinds]})`)
  return row?.at ?? null
}

export type NewAlarm = AlarmDetails & {
  kind: AlarmKind
  priority: AlarmPriority
  subject: string
  endsAt: Date | null
  raisedAt: Date
}

/** Inserts an alarm, unless one of its kind and subject is open. */
export const insertAlarm = (db: Database, { vehicle, ...alarm }: NewAlarm) =>
  db.execute(sql`
  insert into alarm ${valuesOf({
    kind: alarm.kind,
    priority: alarm.priority,
    subject: alarm.subject,
    location_id: alarm.locationId,
    lane_number: alarm.laneNumber,
    sign_id: alarm.signId,
    sign_number: alarm.signNumber,
    vehicle_id: vehicle?.id ?? null,
    vehicle_created_at: vehicle?.createdAt ?? null,
    plate_lpr: vehicle?.plateLpr ?? null,
    nationality: vehicle?.nationality ?? null,
    name: alarm.name,
    value: alarm.value,
    ends_at: alarm.endsAt,
    raised_at: alarm.raisedAt,
    raised_times: [alarm.raisedAt],
  })} on conflict (kind, subject) where closed_at is null do nothing`)

type AlarmRepetition = { id: number; raisedTimes: Date[]; keepsAcknowledgement: boolean; value: number | null }

/** Raises a cleared alarm again. */
export const repeatAlarm = (db: Database, { id, raisedTimes, keepsAcknowledgement, value }: AlarmRepetition) =>
  db.execute(sql`
  update alarm
  set count = count + 1, raised_times = ${raisedTimes}::timestamptz[], value = ${value}, cleared_at = null,
      closed_at = null,
      acknowledged_at = case when ${keepsAcknowledgement}::boolean then acknowledged_at end,
      acknowledged_by = case when ${keepsAcknowledgement}::boolean then acknowledged_by end
  where id = ${id} and cleared_at is not null`)

type AlarmClearance = { id: number; isMissed: boolean; isClosed: boolean }

/** Clears an alarm. `isClosed`: it leaves the list; one that was acknowledged meanwhile does, too, unless it is shelved. */
export const clearAlarm = (db: Database, { id, isMissed, isClosed }: AlarmClearance, now: Date) =>
  db.execute(sql`
  update alarm
  set cleared_at = ${now}::timestamptz, is_missed = ${isMissed}::boolean and acknowledged_at is null,
      closed_at = case when ${isClosed}::boolean
                         or (acknowledged_at is not null and (shelved_until is null or shelved_until <= ${now}::timestamptz))
                       then ${now}::timestamptz end
  where id = ${id} and cleared_at is null and closed_at is null`)

/** Returns a shelved alarm: to the list as a new one, or off it if its cause has gone meanwhile. */
export const returnAlarm = (db: Database, id: number, now: Date) =>
  db.execute(sql`
  update alarm
  set shelved_until = null,
      closed_at = case when cleared_at is not null then ${now}::timestamptz end,
      acknowledged_at = case when cleared_at is not null then acknowledged_at end,
      acknowledged_by = case when cleared_at is not null then acknowledged_by end
  where id = ${id} and closed_at is null and shelved_until is not null`)

/** Acknowledges a locked alarm; one that was cleared leaves the list. */
export const acknowledgeAlarm = (db: Database, id: number, by: string, now: Date) =>
  db.execute(sql`
  update alarm
  set acknowledged_at = ${now}::timestamptz, acknowledged_by = ${by},
      closed_at = case when cleared_at is not null and (shelved_until is null or shelved_until <= ${now}::timestamptz)
                       then ${now}::timestamptz end
  where id = ${id}`)

/** Shelves a locked alarm. */
export const shelveAlarm = (
  db: Database,
  id: number,
  { until, by, reason }: { until: Date; by: string; reason: string },
) =>
  db.execute(sql`
  update alarm set shelved_until = ${until}::timestamptz, shelved_by = ${by}, shelf_reason = ${reason} where id = ${id}`)

export type HistorySearch = {
  from: Date
  to: Date
  kinds: readonly AlarmKind[]
  locations: readonly number[] | undefined
}

const raisedIn = ({ from, to, kinds, locations }: HistorySearch): Statement => sql`
  where a.raised_at >= ${from}::timestamptz and a.raised_at < ${to}::timestamptz and a.kind = any(${[...kinds]})
    and ${locations?.length ? sql`a.location_id = any(${[...locations]})` : sql`true`}`

/** Alarms that were raised in a range, newest first. */
export const alarmHistory = (
  db: Database,
  search: HistorySearch,
  { offset, limit }: { offset: number; limit: number },
) => selectRows(db, sql`${raisedIn(search)} order by a.raised_at desc, a.id desc offset ${offset} limit ${limit}`)

export async function countAlarms(db: Database, search: HistorySearch): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count from alarm a ${raisedIn(search)}`)
  return row?.count ?? 0
}

/** Alarms that were raised in a range, with the columns that its figures need. */
export const raisedAlarms = (db: Database, search: HistorySearch) =>
  db.query<
    Pick<AlarmRow, 'kind' | 'priority' | 'locationId' | 'shortName' | 'raisedAt' | 'acknowledgedAt' | 'isMissed'>
  >(sql`
  select a.kind, a.priority, a.location_id as "locationId", l.short_name as "shortName", a.raised_at as "raisedAt",
         a.acknowledged_at as "acknowledgedAt", a.is_missed as "isMissed"
  from alarm a left join location l on l.id = a.location_id ${raisedIn(search)}`)

/** Deletes alarms that left the list before an instant. */
export const deleteAlarmsBefore = (db: Database, before: Date): Promise<void> =>
  deleteInBatches((limit) =>
    db.execute(sql`
      delete from alarm where id in (
        select id from alarm where closed_at < ${before}::timestamptz order by id limit ${limit})`),
  )
