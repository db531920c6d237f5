import type { InspectionResult } from '@rogatka/contract/inspections.ts'
import type { InspectionState, OffenderSort } from '@rogatka/contract/options.ts'
import type { SortDirection } from '@rogatka/contract/wire.ts'
import { fromWarsaw } from '@rogatka/domain/core/warsaw.ts'
import type { JoinRule } from '@rogatka/domain/offenders/joins.ts'
import type { Database } from '../core/database.ts'
import { raw, type Statement, sql } from '../core/statement.ts'
import { inspectionsOfVehicles } from './count-queries.ts'

/** The row of all stations together in `offender_history`. */
const ALL_LOCATIONS = 0

const ints = (values: readonly number[]) => values.map(String)

export type OffenderSearch = {
  from: string | undefined
  until: string | undefined
  locations: readonly number[] | undefined
  minOverloads: number
  /** Only vehicles with overloads on 3 days within 12 months. */
  repeatOnly: boolean
  orderBy: OffenderSort
  orderDirection: SortDirection
  page: number
  limit: number
}

type Figures = { passages: number; overloads: number; worst: number; lastSeen: Date }
export type OffenderRow = Figures & { vehicleId: number; offenderSince: string | null }
export type Carrier = { key: string; name: string; taxId: string | null }
export type CarrierRow = Figures & Carrier & { vehicles: number; vehicleIds: number[] }

const COLUMNS: Record<OffenderSort, string> = {
  overloads: 'overloads',
  share: 'overloads::float8 / passages',
  lastSeen: 'last_seen',
  worst: 'worst',
}

/** Sorted, and cut to a page; ties by `key`. */
const pageOf = ({ orderBy, orderDirection, page, limit }: OffenderSearch, key: string): Statement =>
  sql`order by ${raw(`${COLUMNS[orderBy]} ${orderDirection}, ${key}`)} limit ${limit} offset ${(page - 1) * limit}`

/** Length of the part of an array of ascending days before the range, and up to its end. */
const daysBefore = ({ from }: OffenderSearch, days: string): Statement =>
  from ? sql`width_bucket(${from}::date - 1, ${raw(days)})` : sql`0`
const daysThrough = ({ until }: OffenderSearch, days: string): Statement =>
  until ? sql`width_bucket(${until}::date, ${raw(days)})` : sql`cardinality(${raw(days)})`

/** Growth of a running sum of ascending days in the range. */
const growth = (search: OffenderSearch, sums: string, days: string): Statement => sql`
  coalesce(${raw(sums)}[${daysThrough(search, days)}], 0) - coalesce(${raw(sums)}[${daysBefore(search, days)}], 0)`

/** The last passage in the range. */
const lastSeenIn = (search: OffenderSearch): Statement => sql`h.last_seen[${daysThrough(search, 'h.days')}]`

/** Whether the figures of all vehicles have the last passage: it is read from large arrays, else only for a page. */
const hasLastSeen = (search: OffenderSearch): boolean => isEverything(search) || search.orderBy === 'lastSeen'

const isEverything = ({ from, until, locations }: OffenderSearch): boolean => !from && !until && !locations?.length

/** The rows of `offender_history h` for the stations of the search. */
const atLocations = ({ locations }: OffenderSearch): Statement =>
  sql`h.location_id = any(${ints(locations?.length ? locations : [ALL_LOCATIONS])}::int[])`

/**
 * The figures of vehicles in the range: from their totals if it is everything, else from two elements of their running
 * sums, without `worst`, and without `last_seen` unless they are sorted by it.
 */
function figuresIn(search: OffenderSearch, minOverloads: number): Statement {
  const { repeatOnly } = search
  if (isEverything(search))
    return sql`
    select vehicle_id, passages, overloads, worst, last_seen from offender
    where overloads >= ${minOverloads} and ${repeatOnly ? sql`repeat_since is not null` : sql`true`}`
  const overloads = growth(search, 'h.overloads_through', 'h.overloaded_days')
  const passages = growth(search, 'h.passages_through', 'h.days')
  const lastSeen = hasLastSeen(search)
    ? (aggregate: (value: Statement) => Statement) => sql`, ${aggregate(lastSeenIn(search))} as last_seen`
    : () => sql``
  const repeating = repeatOnly ? sql`repeat_since is not null` : sql`true`
  // With offset 0 the overloads of each row are calculated once.
  if (!search.locations?.length)
    return sql`
    select h.vehicle_id, ${passages} as passages, h.overloads ${lastSeen((value) => value)}
    from (
      select vehicle_id, days, passages_through, last_seen, ${overloads} as overloads
      from offender_history h
      where ${atLocations(search)} and h.overloads >= ${minOverloads}
        and ${repeatOnly ? sql`vehicle_id in (select vehicle_id from offender where ${repeating})` : sql`true`}
      offset 0
    ) h
    where h.overloads >= ${minOverloads}`
  // Totals exclude most vehicles.
  return sql`
    select h.vehicle_id, sum(${passages})::int as passages, sum(${overloads})::int as overloads
           ${lastSeen((value) => sql`max(${value})`)}
    from offender_history h
    join offender o on o.vehicle_id = h.vehicle_id
    where ${atLocations(search)} and o.overloads >= ${minOverloads} and ${repeating}
    group by 1
    having sum(${overloads}) >= ${minOverloads}`
}

/** Rows of vehicles with the largest excess in the range, which needs all their overloaded days. */
const withWorst = (
  search: OffenderSearch,
  rows: 'figures' | 'candidates' | 'page' | 'shown',
  minOverloads: number,
): Statement =>
  isEverything(search)
    ? sql`select * from ${raw(rows)}`
    : sql`
    select r.*, w.worst
    from ${raw(rows)} r
    join (
      select h.vehicle_id, max(excess) as worst
      from offender_history h
      cross join unnest(
        h.worst[${daysBefore(search, 'h.overloaded_days')} + 1 : ${daysThrough(search, 'h.overloaded_days')}]) excess
      where h.vehicle_id in (select vehicle_id from ${raw(rows)}) and ${atLocations(search)}
        and ${search.locations?.length ? sql`true` : sql`h.overloads >= ${minOverloads}`}
      group by 1
    ) w on w.vehicle_id = r.vehicle_id`

/** Rows of vehicles with their last passage in the range. */
const withLastSeen = (search: OffenderSearch, rows: 'complete'): Statement =>
  hasLastSeen(search)
    ? sql`select * from ${raw(rows)}`
    : sql`
    select r.*, l.last_seen
    from ${raw(rows)} r
    join (
      select h.vehicle_id, max(${lastSeenIn(search)}) as last_seen
      from offender_history h
      where h.vehicle_id in (select vehicle_id from ${raw(rows)}) and ${atLocations(search)}
      group by 1
    ) l on l.vehicle_id = r.vehicle_id`

/** A page of rows, and the number and overloads of all. */
type Page<Row> = { rows: Row[]; total: number; totalOverloads: number }
type Totals = { total: number; totalOverloads: number }

const toPage = <Row extends Totals>(rows: Row[]): Page<Row> => {
  const [{ total, totalOverloads } = { total: 0, totalOverloads: 0 }] = rows
  return { rows, total, totalOverloads }
}

/** Vehicles with the largest excess of all times whose excess in the range is read first. */
const CANDIDATES = 1_000
/** Further rows are found among all vehicles. */
const MAX_CANDIDATE_ROWS = 100

/** A page of vehicles. */
export async function offenderPage(db: Database, search: OffenderSearch): Promise<Page<OffenderRow>> {
  const { orderBy, orderDirection, page, limit } = search
  const isByWorst = orderBy === 'worst' && !isEverything(search)
  if (isByWorst && orderDirection === 'desc' && page * limit <= MAX_CANDIDATE_ROWS) {
    const rows = await selectPage(db, search, 'candidates')
    // The excess of all others is at most `bound`.
    if (rows.length > 0 && rows.every(({ worst, bound }) => bound === null || worst > bound)) return toPage(rows)
  }
  const rows = await selectPage(db, search, isByWorst ? 'figures' : null)
  if (rows.length > 0 || page === 1) return toPage(rows)
  return { ...(await offenderPage(db, { ...search, page: 1, limit: 1 })), rows: [] }
}

/**
 * A page of vehicles, sorted by the largest excess in the range of all of them or of candidates, else (null) by a figure.
 * `bound`: the largest excess that others than the candidates may have; null if there are none.
 */
const selectPage = (db: Database, search: OffenderSearch, byWorst: 'figures' | 'candidates' | null) =>
  db.query<OffenderRow & Totals & { bound: number | null }>(sql`
    with figures as materialized (${figuresIn(search, search.minOverloads)}
    ), totals as (
      select count(*)::int as total, sum(overloads)::int as total_overloads from figures
    ), candidates as materialized (
      select f.*, o.worst as worst_ever
      from figures f
      join offender o on o.vehicle_id = f.vehicle_id
      where ${byWorst === 'candidates' ? sql`true` : sql`false`}
      order by o.worst desc, f.vehicle_id
      limit ${CANDIDATES}
    ), sorted as (
      select * from (${byWorst ? withWorst(search, byWorst, search.minOverloads) : sql`select * from figures`}) f
      ${pageOf(search, 'vehicle_id')}
    ), page as materialized (
      select *, row_number() over () as place from sorted
    ), complete as materialized (
      ${byWorst ? sql`select * from page` : withWorst(search, 'page', search.minOverloads)}
    )
    select p.vehicle_id as "vehicleId", p.passages, p.overloads, p.worst, p.last_seen as "lastSeen",
           o.repeat_since::text as "offenderSince", total, total_overloads as "totalOverloads",
           (select min(worst_ever) from candidates having count(*) = ${CANDIDATES})::int as bound
    from (${withLastSeen(search, 'complete')}) p
    join offender o on o.vehicle_id = p.vehicle_id
    cross join totals
    order by place`)

/** Vehicles of a carrier, with most overloads first; none if there is no such carrier. */
export const vehiclesOfCarrier = (db: Database, key: string) =>
  db.query<OffenderRow & Carrier>(sql`
  select vehicle_id as "vehicleId", passages, overloads, worst, last_seen as "lastSeen",
         repeat_since::text as "offenderSince", carrier_key as key, carrier as name, tax_id as "taxId"
  from offender
  where carrier_key = ${key}
  order by overloads desc, vehicle_id`)

/** A page of carriers, each with the vehicles whose latest inspection with a carrier names it. */
export async function carrierPage(db: Database, search: OffenderSearch): Promise<Page<CarrierRow>> {
  const isByWorst = search.orderBy === 'worst'
  const rows = await db.query<CarrierRow & Totals>(sql`
    with figures as materialized (
      select f.*, o.carrier_key as key
      from (${figuresIn(search, 1)}) f
      join offender o on o.vehicle_id = f.vehicle_id
      where o.carrier_key is not null
    ), carriers as materialized (
      select f.key, sum(f.passages)::int as passages, sum(f.overloads)::int as overloads,
             ${hasLastSeen(search) ? sql`max(f.last_seen)` : sql`null::timestamptz`} as last_seen,
             ${isByWorst ? sql`max(f.worst)` : sql`null::smallint`} as worst
      from (${isByWorst ? withWorst(search, 'figures', 1) : sql`select * from figures`}) f
      group by 1
      having sum(f.overloads) >= ${search.minOverloads}
    ), page as materialized (
      select *, row_number() over () as place from (select * from carriers ${pageOf(search, 'key')}) c
    ), shown as materialized (
      select * from figures where key in (select key from page)
    ), complete as materialized (
      ${withWorst(search, 'shown', 1)}
    ), vehicles as (
      select s.key, max(o.carrier) as name, max(o.tax_id) as tax_id, count(*)::int as vehicles,
             array_agg(s.vehicle_id order by s.vehicle_id) as vehicle_ids, max(s.worst) as worst,
             max(s.last_seen) as last_seen
      from (${withLastSeen(search, 'complete')}) s
      join offender o on o.vehicle_id = s.vehicle_id
      group by 1
    )
    select p.key, v.name, v.tax_id as "taxId", v.vehicles, v.vehicle_ids as "vehicleIds", p.passages, p.overloads, v.worst,
           v.last_seen as "lastSeen", (select count(*)::int from carriers) as total,
           (select sum(overloads)::int from carriers) as "totalOverloads"
    from page p
    join vehicles v on v.key = p.key
    order by p.place`)
  if (rows.length > 0 || search.page === 1) return toPage(rows)
  return { ...(await carrierPage(db, { ...search, page: 1, limit: 1 })), rows: [] }
}

/** End of the last hour up to which all vehicles were counted; null before the first count. */
export async function countedUntil(db: Database): Promise<Date | null> {
  const [progress] = await db.query<{ until: Date | null }>(sql`select counted_until as until from offender_progress`)
  return progress?.until ?? null
}

/** The spelling of each vehicle, and the number of others that were joined. */
export const vehicleNames = (db: Database, ids: readonly number[]) =>
  db.query<{ id: number; plate: string; country: string; joined: number }>(sql`
  select s.id, s.form as plate, s.country, count(*)::int - 1 as joined
  from spelling s
  join spelling o on o.vehicle_id = s.id
  where s.id = any(${ints(ids)}::int[])
  group by s.id`)

/** Overloads of vehicles by week, named by its Monday, from that day on. */
export const weeklyOverloads = (db: Database, ids: readonly number[], from: string, until: string) =>
  db.query<{ vehicleId: number; week: string; overloads: number }>(sql`
  select vehicle_id as "vehicleId", date_trunc('week', day)::date::text as week, sum(overloads)::int as overloads
  from offender_day d
  where vehicle_id = any(${ints(ids)}::int[]) and overloads > 0 and day >= ${from}::date and day <= ${until}::date
  group by 1, 2`)

export type InspectionRow = {
  vehicleId: number
  id: number
  code: string
  year: number
  sequence: number
  state: InspectionState
  announcedAt: Date
  results: InspectionResult[]
  confirmed: boolean | null
  carrier: string | null
  carrierKey: string | null
  taxId: string | null
}

/** The inspections of vehicles, latest first. */
export const inspectionsOf = (db: Database, ids: readonly number[]) =>
  db.query<InspectionRow>(sql`
  select s.vehicle_id as "vehicleId", i.id, i.code, i.year, i.sequence, i.state, i.announced_at as "announcedAt",
         i.results, i.confirmed, i.carrier, i.tax_id as "taxId", coalesce(i.tax_id, lower(i.carrier)) as "carrierKey"
  from ${inspectionsOfVehicles}
  where s.vehicle_id = any(${ints(ids)}::int[])
  order by i.announced_at desc, i.id desc`)

/** The vehicle of a spelling, if it was overloaded: joins change it. */
export async function offenderById(db: Database, id: number): Promise<OffenderRow | undefined> {
  const [found] = await db.query<OffenderRow>(sql`
    select o.vehicle_id as "vehicleId", o.passages, o.overloads, o.worst, o.last_seen as "lastSeen",
           o.repeat_since::text as "offenderSince"
    from spelling s join offender o on o.vehicle_id = s.vehicle_id
    where s.id = ${id}`)
  return found
}

export type OffenderDay = { day: string; locationId: number; passages: number; overloads: number }

/** Passages of a vehicle by day and station, latest first. */
export const daysOf = (db: Database, vehicleId: number) =>
  db.query<OffenderDay>(sql`
  select day::text, location_id as "locationId", passages, overloads
  from offender_day where vehicle_id = ${vehicleId} order by day desc, location_id`)

type SpellingRow = {
  id: number
  plate: string
  country: string
  readings: string[]
  joinedTo: string | null
  rule: JoinRule | null
  evidence: {
    counts: [number, number]
    firstAxleGaps: [number, number] | null
    lengths: [number, number] | null
  } | null
}

/** The spellings of a vehicle, its own first. */
export const spellingsOf = (db: Database, vehicleId: number) =>
  db.query<SpellingRow>(sql`
  select s.id, s.form as plate, s.country, o.form as "joinedTo", s.rule, s.evidence,
         array_agg(distinct p.plate || ':' || p.nationality order by p.plate || ':' || p.nationality) as readings
  from spelling s
  join spelling_plate p on p.spelling_id = s.id
  left join spelling o on o.id = s.joined_to
  where s.vehicle_id = ${vehicleId}
  group by s.id, o.form
  order by s.id <> ${vehicleId}::int, s.form, s.country`)

type PassageRow = {
  id: number
  createdAt: Date
  locationId: number
  plateLpr: string
  totalLoad: number | null
  overload: boolean
  excess: number | null
}

/** Plates of vehicles as sent: a subquery of its own, so that Citus sends these to its workers instead of both tables. */
const platesOfVehicles = (vehicleIds: readonly number[]) => sql`(
      select s.id, p.plate, p.nationality
      from spelling s
      join spelling_plate p on p.spelling_id = s.id
      where s.vehicle_id = any(${ints(vehicleIds)}::int[])
    ) p`

/** Passages of a vehicle by id of the spelling. */
export async function passagesBySpelling(db: Database, vehicleId: number, since: Date, until: Date) {
  const rows = await db.query<{ id: number; passages: number }>(sql`
    select p.id, count(*)::int as passages
    from ${platesOfVehicles([vehicleId])}
    join vehicle v on v.plate_lpr = p.plate and coalesce(v.nationality, '') = p.nationality
      and v.created_at >= ${since}::timestamptz and v.created_at <= ${until}::timestamptz
    group by 1`)
  return new Map(rows.map(({ id, passages }) => [id, passages]))
}

/**
 * The day from which on vehicles had so many passages, and those of them that had any since; null if they have fewer.
 * Further vehicles than the `limit` that were seen last have none of the last `limit` passages.
 */
async function lastVehicles(db: Database, vehicleIds: readonly number[], limit: number) {
  const latest = await db.query<{ id: number }>(sql`
    select vehicle_id as id from offender where vehicle_id = any(${ints(vehicleIds)}::int[])
    order by last_seen desc, vehicle_id limit ${limit}`)
  const ids = latest.map(({ id }) => id)
  const [bound] = await db.query<{ day: string | null }>(sql`
    select max(day)::text as day
    from (
      select day, sum(sum(passages)) over (order by day desc) as through
      from offender_day where vehicle_id = any(${ints(ids)}::int[])
      group by day
    ) d
    where through >= ${limit}`)
  return { ids, day: bound?.day ?? null }
}

/** The last passages of vehicles since a time, latest first; only from the days on which they were. */
export async function lastPassages(db: Database, vehicleIds: readonly number[], since: Date, limit: number) {
  const { ids, day } = await lastVehicles(db, vehicleIds, limit)
  return db.query<PassageRow>(sql`
    select v.id, v.created_at as "createdAt", v.location_id as "locationId", v.plate_lpr as "plateLpr",
           v.total_load as "totalLoad", v.violations & 1 > 0 as overload,
           greatest(v.overload_sa, v.overload_ma, v.overload_tl) as excess
    from ${platesOfVehicles(ids)}
    join vehicle v on v.plate_lpr = p.plate and coalesce(v.nationality, '') = p.nationality
      and v.created_at >= ${day ? new Date(fromWarsaw(Date.parse(day))) : since}::timestamptz
    order by v.created_at desc, v.id desc
    limit ${limit}`)
}
