import type { Interval } from '@rogatka/domain/core/time.ts'
import type { Database } from './database.ts'
import { queueLines } from './log-queue.ts'
import { identifier, json, sql } from './statement.ts'

/** A line of the access trail as JSON: bytes in hexadecimal, times in ISO 8601. */
export type TrailRow = {
  at: string
  user_id: number | null
  system_id: number | null
  device_id: number | null
  user_name: string
  role_id: number | null
  token_hash: string
  session: string
  ip: string | null
  call: string
  kind: number
  criteria: Record<string, unknown>
  asked: string[] | null
  asked_text: string | null
  results: number
  plates: number
  shown: string[] | null
  vehicle_key: string | null
}

/**
 * Columns and values of new lines, from rows `l`: with the role as it is named now, and the purpose that the session has
 * given.
 */
const COLUMNS = sql`
  at, user_id, system_id, device_id, user_name, role_name, session, ip, call, kind, purpose, reference, note, criteria,
  asked, asked_text, results, plates, shown, vehicle_key`
const VALUES = sql`
  l.at, l.user_id, l.system_id, l.device_id, l.user_name, r.name, decode(l.session, 'hex'), l.ip, l.call, l.kind,
  p.purpose, p.reference, p.note, l.criteria,
  (select array_agg(decode(h, 'hex')) from unnest(l.asked) h), decode(l.asked_text, 'hex'), l.results, l.plates,
  (select array_agg(decode(h, 'hex')) from unnest(l.shown) h), l.vehicle_key`
const recordsOf = (rows: readonly (TrailRow | VisitRow)[]) => sql`
  jsonb_to_recordset(${json(rows)}) as l (
    at timestamptz, user_id int, system_id int, device_id int, user_name text, role_id int, token_hash text,
    session text, ip text, call text, kind smallint, criteria jsonb, asked text[], asked_text text, results int,
    plates int, shown text[], vehicle_key text, visit_key text, seen_at timestamptz,
    location_ids bigint[], filters text)`
const rowsOf = (rows: readonly (TrailRow | VisitRow)[]) => sql`
  ${recordsOf(rows)}
  left join role r on r.id = l.role_id
  left join access_purpose p on p.token_hash = decode(l.token_hash, 'hex') and p.until > l.at`

/** Appends lines. */
export const insertTrailRows = (db: Database, rows: readonly TrailRow[]) =>
  db.prepared(sql`
    with line as (insert into access_trail (${COLUMNS}) select ${VALUES} from ${rowsOf(rows)} returning id, at)
    ${queueLines('access', sql`line`)}`)

/**
 * A visit: answers of one kind to one question of a session. `key`: SHA-256 of these, in hexadecimal. `seenAt`: by the
 * clock of the database, as everywhere in `access_visit`.
 */
export type NewVisit = {
  key: string
  row: TrailRow
  seenAt: Date
  locationIds: readonly number[] | null
  filters: Buffer | null
}

type VisitRow = TrailRow & {
  visit_key: string
  seen_at: string
  location_ids: readonly number[] | null
  filters: string | null
}

const visitRow = ({ key, row, seenAt, locationIds, filters }: NewVisit): VisitRow => ({
  ...row,
  visit_key: key,
  seen_at: seenAt.toISOString(),
  location_ids: locationIds,
  filters: filters?.toString('hex') ?? null,
})

/**
 * Opens visits with their lines, or continues those with these keys that another process has opened. One that was last
 * polled long ago has to be retired before. In the order of keys, so that two processes do not wait for each other.
 * Returns their ids by key.
 */
export async function openTrailVisits(db: Database, visits: readonly NewVisit[]): Promise<Map<string, number>> {
  const rows = visits.map(visitRow)
  const opened = await db.prepared<{ key: string; id: number }>(sql`
    with new as (
      select nextval('access_trail_id') as id, l.visit_key, l.at, l.kind, l.session, l.seen_at, l.location_ids, l.filters
      from ${recordsOf(rows)}
    ),
    visit as (
      insert into access_visit as v (key, id, at, kind, session, seen_at, location_ids, filters)
      select decode(visit_key, 'hex'), id, at, kind, decode(session, 'hex'), seen_at, location_ids,
             decode(filters, 'hex')
      from new order by visit_key
      on conflict (key) do update set seen_at = greatest(v.seen_at, excluded.seen_at)
      returning v.key, v.id
    ),
    line as (
      insert into access_trail (id, is_visit, ${COLUMNS})
      select new.id, true, ${VALUES} from new join visit on visit.id = new.id join (${rowsOf(rows)})
      on l.visit_key = new.visit_key
      returning id, at
    ),
    queued as (${queueLines('access', sql`line`)})
    select encode(key, 'hex') as key, id from visit`)
  return new Map(opened.map(({ key, id }) => [key, id]))
}

/** Key that a retired visit gets, so that the next one can have its own. */
const retiredKey = (visit: 'v' | 'n') => sql`sha256(${identifier(visit)}.key || int8send(${identifier(visit)}.id))`

/**
 * What a process has seen of a visit since it wrote it last. `id`: of its line; `shown`: HMACs in hexadecimal; null: more
 * than kept.
 */
export type SeenVisit = { key: string; id: number; seenAt: Date; shown: readonly string[] | null }

/**
 * Writes when visits were polled last and which plates they have shown, in the order of keys; also of those that were
 * retired. Returns the ids of those that still have their key.
 */
export async function updateTrailVisits(
  db: Database,
  visits: readonly SeenVisit[],
  maxShown: number,
): Promise<Set<number>> {
  const written = await db.query<{ id: number; isOpen: boolean }>(sql`
    update access_visit v
    set seen_at = greatest(v.seen_at, s.seen_at),
        shown = case when cardinality(s.shown) <= ${maxShown} then s.shown end
    from (
      select v.key, v.key = n.key as is_open, n.seen_at,
             case when n.shown is not null and v.shown is not null then array(
               select distinct h from (
                 select unnest(v.shown) as h union all select decode(t, 'hex') from unnest(n.shown) t) h) end as shown
      from (
        select decode(key, 'hex') as key, id, seen_at, shown
        from jsonb_to_recordset(${json(visits.map(({ seenAt, ...visit }) => ({ ...visit, seen_at: seenAt })))})
               as l (key text, id bigint, seen_at timestamptz, shown text[])
      ) n
      join access_visit v on v.key = any(array[n.key, ${retiredKey('n')}]) and v.id = n.id
      order by v.key for update of v
    ) s
    where v.key = s.key
    returning v.id, s.is_open as "isOpen"`)
  return new Set(written.flatMap(({ id, isOpen }) => (isOpen ? [id] : [])))
}

/** When the purpose ends that the session of each row has given by then; null: it has given none. */
export async function purposeEnds(db: Database, rows: readonly TrailRow[]): Promise<(Date | null)[]> {
  const sessions = rows.map(({ token_hash, at }, position) => ({ token_hash, at, position }))
  const ends = await db.prepared<{ until: Date | null }>(sql`
    select p.until
    from jsonb_to_recordset(${json(sessions)}) as l (token_hash text, at timestamptz, position int)
    left join access_purpose p on p.token_hash = decode(l.token_hash, 'hex') and p.until > l.at
    order by l.position`)
  return ends.map(({ until }) => until)
}

/**
 * Makes room for other visits of these keys, where the one that has it was last polled before `idleSince`, or began before
 * `openedBefore`. In the order of keys.
 */
export const retireTrailVisits = (
  db: Database,
  visits: readonly { key: string; idleSince: Date; openedBefore: Date | null }[],
) =>
  db.prepared(sql`
    update access_visit v set key = ${retiredKey('v')}
    from (
      select v.key
      from jsonb_to_recordset(${json(visits)}) as n (key text, "idleSince" timestamptz, "openedBefore" timestamptz)
      join access_visit v on v.key = decode(n.key, 'hex') and (v.seen_at < n."idleSince" or v.at < n."openedBefore")
      order by v.key for update of v
    ) idle
    where v.key = idle.key`)

/** Makes room for other visits of a session with the same keys. In the order of keys. */
export const retireVisitsOfSession = (db: Database, session: Buffer) =>
  db.execute(sql`
    update access_visit v set key = ${retiredKey('v')}
    from (select key from access_visit where session = ${session} order by key for update) own
    where v.key = own.key`)

/** A visit that is over. `shown`: HMACs of the plates shown; null: more than kept. */
export type IdleVisit = {
  id: number
  at: Date
  kind: number
  seenAt: Date
  locationIds: number[] | null
  filters: Buffer | null
  shown: Buffer[] | null
}

/** Visits that were last polled before that time. */
export const findIdleTrailVisits = (db: Database, idleSince: Date, limit: number) =>
  db.query<IdleVisit>(sql`
    select id, at, kind, seen_at as "seenAt", location_ids as "locationIds", filters, shown
    from access_visit where seen_at < ${idleSince}::timestamptz order by seen_at limit ${limit}`)

/** Live lists that a session has open in any process. */
export const findOpenLiveVisits = (db: Database, session: Buffer, since: Date) =>
  db.prepared<{ locationIds: number[]; filters: Buffer }>(sql`
    select location_ids as "locationIds", filters from access_visit
    where session = ${session} and seen_at >= ${since}::timestamptz and filters is not null`)

/** What a visit has shown: vehicles, and the HMACs of their plates; null: more than kept. */
export type VisitSum = { results: number; plates: number; shown: Buffer[] | null }

/** Closes a visit, if it was not polled since and no other process has closed it. */
export const closeTrailVisit = (db: Database, { id, seenAt }: IdleVisit, { results, plates, shown }: VisitSum) =>
  db.execute(sql`
    with ended as (
      delete from access_visit where id = ${id}::bigint and seen_at <= ${seenAt}::timestamptz returning id, at, seen_at
    ),
    line as (
      insert into access_visit_end (id, at, ended_at, results, plates, shown)
      select id, at, greatest(at, seen_at), ${results}::int, ${plates}::int, ${shown}::bytea[] from ended
      returning id, at
    )
    ${queueLines('visits', sql`line`)}`)

/** Days that lines are kept; `drop_trail_partition` refuses to drop younger ones. */
export const TRAIL_DAYS = 1_095

/** Lines and ends of visits, each in partitions of a month. */
export const TRAIL_TABLES = ['access_trail', 'access_visit_end'] as const

const firstDay = ({ from }: Pick<Interval, 'from'>) => from.toISOString().slice(0, 10)

/** Creates the partition of a month, also where the portal's account does not own the trail. */
export const createTrailPartition = (db: Database, table: string, interval: Interval) =>
  db.query(sql`select create_trail_partition(${table}::text, ${firstDay(interval)}::date)`)

/** @throws if it has to be kept by the clock of the database, or is read for long at this moment */
export const dropTrailPartition = (db: Database, table: string, interval: Interval) =>
  db.query(sql`select drop_trail_partition(${table}::text, ${firstDay(interval)}::date)`)

/** The key of the trail in the database; created at the first call. */
export async function findOrCreateTrailKey(db: Database, secret: Buffer): Promise<Buffer> {
  const find = () => db.query<{ secret: Buffer }>(sql`select secret from access_trail_key`)
  const [found] = await find()
  if (found) return found.secret
  // Another process may create one at the same time.
  await db.execute(sql`insert into access_trail_key (secret) values (${secret}) on conflict do nothing`)
  return (await find())[0]?.secret as Buffer
}
