import { lookKinds, purposes } from '@rogatka/contract/looks.ts'
import { MANY_PLATES, type TrailFilters, USUAL_SHIFT } from '@rogatka/contract/trail.ts'
import { cursorRows } from '../core/cursor.ts'
import type { Database, Pool } from '../core/database.ts'
import { type Statement, sql } from '../core/statement.ts'

/** Filters with the HMACs of a plate that was asked for or shown. */
export type TrailSearch = Omit<TrailFilters, 'search'> & { macs?: readonly Buffer[] | undefined }

/** Rows per fetch. */
const BATCH_SIZE = 500
/** Rows of each list of a summary. */
const MAX_ROWS = 100

export type LineRow = {
  id: number
  at: Date
  userId: number | null
  systemId: number | null
  deviceId: number | null
  userName: string
  roleName: string | null
  ip: string | null
  call: string
  kind: number
  purpose: number | null
  reference: string | null
  note: string | null
  criteria: Record<string, unknown>
  askedText: Buffer | null
  results: number
  plates: number
  isListed: boolean
  vehicleKey: string | null
  isVisit: boolean
  endedAt: Date | null
}

const inRange = ({ dateTimeStart, dateTimeEnd }: Pick<TrailSearch, 'dateTimeStart' | 'dateTimeEnd'>) =>
  sql`at >= ${dateTimeStart}::timestamptz and at < ${dateTimeEnd}::timestamptz`

/** Lines that asked for a plate or showed it, in the answer or in the course of the visit. */
const ofPlate = (search: TrailSearch, macs: readonly Buffer[]): Statement => sql`
  and t.id in (
    select id from access_trail where ${inRange(search)} and shown && ${[...macs]}::bytea[]
    union all select id from access_trail where ${inRange(search)} and asked && ${[...macs]}::bytea[]
    union all select id from access_visit_end where ${inRange(search)} and shown && ${[...macs]}::bytea[]
    union all select id from access_visit where ${inRange(search)} and shown && ${[...macs]}::bytea[])`

const numbersOf = <T>(all: readonly T[], chosen: readonly T[]) => chosen.map((one) => all.indexOf(one) + 1)

const filterOf = (search: TrailSearch): Statement => sql`
  ${inRange(search)}
  ${search.userId === undefined ? sql`` : sql`and t.user_id = ${search.userId}`}
  ${search.systemId === undefined ? sql`` : sql`and t.system_id = ${search.systemId}`}
  ${search.kinds?.length ? sql`and t.kind = any(${numbersOf(lookKinds, search.kinds)}::smallint[])` : sql``}
  ${search.purpose ? sql`and t.purpose = ${purposes.indexOf(search.purpose) + 1}` : sql``}
  ${search.macs ? ofPlate(search, search.macs) : sql``}`

const lines = (from: Statement) => sql`
  select t.id, t.at, t.user_id as "userId", t.system_id as "systemId", t.device_id as "deviceId",
         t.user_name as "userName", t.role_name as "roleName", t.ip, t.call, t.kind, t.purpose, t.reference, t.note,
         t.criteria, t.asked_text as "askedText", coalesce(e.results, t.results) as results,
         coalesce(e.plates, t.plates) as plates,
         case when e.id is null then t.plates = 0 or t.shown is not null
              else e.plates = 0 or e.shown is not null end as "isListed",
         t.vehicle_key as "vehicleKey", t.is_visit as "isVisit", e.ended_at as "endedAt"
  from (${from}) t
  left join access_visit_end e on t.is_visit and e.id = t.id and e.at = t.at`

export const trailPage = (db: Database, search: TrailSearch, { page, limit }: { page: number; limit: number }) =>
  db.query<LineRow>(sql`
  ${lines(sql`
    select * from access_trail t where ${filterOf(search)}
    order by at desc, id desc limit ${limit} offset ${(page - 1) * limit}`)}
  order by t.at desc, t.id desc`)

export async function trailCount(db: Database, search: TrailSearch): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from access_trail t where ${filterOf(search)}`)
  return row?.count ?? 0
}

/** All lines of a search, oldest first, from a cursor. */
export const trailRows = (db: Pool, search: TrailSearch): AsyncIterable<LineRow[]> =>
  cursorRows<LineRow>(
    db,
    sql`${lines(sql`select * from access_trail t where ${filterOf(search)}`)} order by t.at, t.id`,
    BATCH_SIZE,
  )

type Range = Pick<TrailSearch, 'dateTimeStart' | 'dateTimeEnd'>

/** Lines by the number of their purpose; null: without one. */
export const linesByPurpose = (db: Database, range: Range) =>
  db.query<{ purpose: number | null; lines: number }>(sql`
  select purpose, count(*)::int as lines from access_trail where ${inRange(range)} group by 1 order by 2 desc, 1`)

/** Hours in which a user was shown more plates than are usual, the latest first; visits count where they began. */
export const hoursWithManyPlates = (db: Database, range: Range) =>
  db.query<{ id: number; name: string; hour: Date; shown: number }>(sql`
  select t.user_id as id, max(t.user_name) as name, date_trunc('hour', t.at) as hour,
         sum(coalesce(e.plates, t.plates))::int as shown
  from (select * from access_trail where ${inRange(range)} and user_id is not null) t
  left join access_visit_end e on t.is_visit and e.id = t.id and e.at = t.at
  group by t.user_id, date_trunc('hour', t.at)
  having sum(coalesce(e.plates, t.plates)) > ${MANY_PLATES}
  order by 3 desc, 4 desc limit ${MAX_ROWS}`)

/**
 * Shifts in which users looked although they are not usual for them, the latest first: they signed in for such a shift, or in
 * it, on too few of the days before. The hour after a shift belongs to it, and who signs in within the hour before comes
 * for it. Users who signed in on too few days at all are omitted: nothing is usual for them yet.
 * @param knownSince looks before it are left out: of the days before them some sign-ins are deleted
 * @param starts HH:MM in Polish time, ascending; before the first the last one of the day before runs
 */
export const looksOutsideShift = (db: Database, range: Range, knownSince: Date, starts: readonly string[]) => {
  const wallTime = (at: Statement) => sql`((${at}) at time zone 'Europe/Warsaw')`
  /** The number of the shift; the last one is 0 and n. */
  const shift = (at: Statement) =>
    sql`width_bucket(${wallTime(at)}::time, ${[...starts]}::time[]) % ${starts.length}::int`
  const day = (at: Statement) => sql`(${wallTime(at)} - ${starts[0] ?? '00:00'}::interval)::date`
  const anHourBefore = sql`at - interval '1 hour'`
  return db.query<{ id: number; name: string; from: Date; to: Date; lines: number }>(sql`
  with looked as (
    select user_id, ${day(sql`at`)} as day, ${shift(sql`at`)} as shift, ${shift(anHourBefore)} as shift_before,
           max(user_name) as name, min(at) as first, max(at) as last, count(*)::int as lines
    from access_trail where ${inRange(range)} and at >= ${knownSince}::timestamptz and user_id is not null
    group by 1, 2, 3, 4
  ), signed_in as (
    select user_id, created_at as at, ${day(sql`created_at`)} as day, ${shift(sql`created_at + ahead`)} as shift
    from activity cross join (values (interval '0'), (interval '1 hour')) later (ahead)
    where event_type = 1 and created_at < ${range.dateTimeEnd}::timestamptz
      and created_at >= ${range.dateTimeStart}::timestamptz - make_interval(days => ${USUAL_SHIFT.of})
  )
  select user_id as id, max(name) as name, min(first) as "from", max(last) as "to", sum(lines)::int as lines
  from (
    select l.user_id, l.day, l.shift, l.name, l.first, l.last, l.lines, count(distinct s.day) as days,
           count(distinct s.day) filter (where s.shift in (l.shift, l.shift_before)) as usual_days
    from looked l
    join signed_in s on s.user_id = l.user_id
      and s.at >= l.first - make_interval(days => ${USUAL_SHIFT.of}) and s.at < l.first - interval '12 hours'
    group by l.user_id, l.day, l.shift, l.shift_before, l.name, l.first, l.last, l.lines
  ) known
  where days >= ${USUAL_SHIFT.days} and usual_days < ${USUAL_SHIFT.days}
  group by user_id, day, shift
  order by 3 desc, 1 limit ${MAX_ROWS}`)
}

/** Minutes in which a session was refused for want of a purpose and gave none then, the latest first. */
export const unansweredRefusals = (db: Database, range: Range) =>
  db.query<{ id: number; name: string; at: Date }>(sql`
  select user_id as id, user_name as name, at from purpose_refusal
  where ${inRange(range)} and answered_at is null
  order by at desc, user_id limit ${MAX_ROWS}`)
