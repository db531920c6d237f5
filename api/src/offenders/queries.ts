import type { InspectionResult } from '@rogatka/contract/inspections.ts'
import type { InspectionState, OffenderSort } from '@rogatka/contract/options.ts'
import type { SortDirection } from '@rogatka/contract/wire.ts'
import { fromWarsaw } from '@rogatka/domain/core/warsaw.ts'
import { REPEAT_DAYS } from '@rogatka/domain/offenders/criterion.ts'
import type { JoinRule } from '@rogatka/domain/offenders/joins.ts'
import type { Database } from '../core/database.ts'
import { join, raw, type Statement, sql } from '../core/statement.ts'

import type { HmacPads } from './carrier-keys.ts'

import { findPlaceholders, inspectionsOfVehicles } from './count-queries.ts'

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
/** Without a carrier all of it is null. */
type CarriedRow = OffenderRow & { [Property in keyof Carrier]: Carrier[Property] | null }
export type CarrierRow = Figures & Carrier & { vehicles: number; vehicleIds: number[] }

type Figure = 'passages' | 'overloads' | 'worst' | 'last_seen'

const FIGURES: readonly Figure[] = ['passages', 'overloads', 'worst', 'last_seen']

/** What a list is sorted by, of these figures besides the overloads. */
const SORTS: Record<OffenderSort, { by: string; figures: readonly Figure[] }> = {
  overloads: { by: 'overloads', figures: [] },
  share: { by: 'overloads::float8 / passages', figures: ['passages'] },
  lastSeen: { by: 'last_seen', figures: ['last_seen'] },
  worst: { by: 'worst', figures: ['worst'] },
}

/** Sorted, and cut to a page; ties by `key`. */
const pageOf = ({ orderBy, orderDirection, page, limit }: OffenderSearch, key: string): Statement =>
  sql`order by ${raw(`${SORTS[orderBy].by} ${orderDirection}, ${key}`)} limit ${limit} offset ${(page - 1) * limit}`

/** The last microsecond of a Polish day; its value is calculated once for a statement. */
const endOf = (day: Statement): Statement =>
  sql`((${day} + 1)::timestamp - interval '1 microsecond') at time zone 'Europe/Warsaw'`

/** Number of elements of `seen`, one for each day, before the range, and up to its end. */
const seenBefore = ({ from }: OffenderSearch): Statement =>
  from ? sql`width_bucket(${endOf(sql`(${from}::date - 1)`)}, h.seen)` : sql`0`
const seenThrough = ({ until }: OffenderSearch): Statement =>
  until ? sql`width_bucket(${endOf(sql`${until}::date`)}, h.seen)` : sql`cardinality(h.seen)`

/** Number of overloaded days before the range, and up to its end. */
const overloadedBefore = ({ from }: OffenderSearch): Statement =>
  from ? sql`width_bucket(${from}::date - 1, h.overloaded_days)` : sql`0`
const overloadedThrough = ({ until }: OffenderSearch): Statement =>
  until ? sql`width_bucket(${until}::date, h.overloaded_days)` : sql`cardinality(h.overloaded_days)`

/** Growth of a running sum between two of its elements. */
const growth = (sums: string, before: Statement, through: Statement): Statement =>
  sql`coalesce(${raw(sums)}[${through}], 0) - coalesce(${raw(sums)}[${before}], 0)`

/** Whether the range has all passages of row `h`: then its totals are its figures. */
const isWithin = ({ from, until }: OffenderSearch): Statement => sql`
  ${from ? sql`h.first_day >= ${from}::date` : sql`true`}
    and ${until ? sql`h.last_seen <= ${endOf(sql`${until}::date`)}` : sql`true`}`

/** Whether the range has all overloaded days of row `h`; not true if it has none. */
const hasAllOverloads = ({ from, until }: OffenderSearch): Statement => sql`
  (${from ? sql`h.overloaded_days[1] >= ${from}::date` : sql`true`}
    and ${until ? sql`h.overloaded_days[cardinality(h.overloaded_days)] <= ${until}::date` : sql`true`})`

/** For rows `h` of whose overloaded days the range has only some: joins the largest excess of these, as `w.worst`. */
function joinWorstInRange(
  search: OffenderSearch,
  table: 'offender' | 'offender_location',
  vehicles: Statement,
): Statement {
  const key = raw(table === 'offender' ? 'vehicle_id' : 'vehicle_id, location_id')
  return sql`
    left join (
      select ${key}, max(excess) as worst
      from (select * from ${raw(table)}) h
      cross join unnest(h.excesses[${overloadedBefore(search)} + 1 : ${overloadedThrough(search)}]) excess
      where h.overloads > 1 and not ${hasAllOverloads(search)} and ${vehicles}
      group by ${key}
    ) w using (${key})`
}

/**
 * A figure of row `h` of `offender` or `offender_location` in the range: its total if the range has all of it, else the
 * difference of two elements of its running sums. Some row of the vehicle must have an overload in the range; in a row
 * without one the last passage may be before the range, and the largest excess is null.
 */
function figureIn(search: OffenderSearch, figure: Figure): Statement {
  const { from, until } = search
  if (!from && !until) return raw(`h.${figure}`)
  if (figure === 'worst') return sql`case when ${hasAllOverloads(search)} then h.worst else w.worst end`
  if (figure === 'last_seen')
    return until
      ? sql`case when h.last_seen <= ${endOf(sql`${until}::date`)} then h.last_seen else h.seen[${seenThrough(search)}] end`
      : sql`h.last_seen`
  if (figure === 'passages')
    return sql`
    case when ${isWithin(search)} then h.passages
         else ${growth('h.passages_through', seenBefore(search), seenThrough(search))} end`
  return sql`
    case when h.overloads = 0 then 0 when ${isWithin(search)} then h.overloads
         else ${growth('h.overloads_through', overloadedBefore(search), overloadedThrough(search))} end`
}

/** Sum, or maximum, of a figure of several rows. */
const sumOf = (figure: Figure, value: Statement): Statement =>
  figure === 'passages' || figure === 'overloads' ? sql`sum(${value})::int` : sql`max(${value})`

const columnsOf = (figures: readonly Figure[], value: (figure: Figure) => Statement): Statement =>
  join(figures.map((figure) => sql`${value(figure)} as ${raw(figure)}`))

/**
 * Figures in the range of vehicles, at the stations of the search. `vehicles`: a condition on row `h`, by its
 * `vehicle_id` and the overloads of all days and stations. With offset 0 figures are calculated once, not again for
 * conditions.
 */
function figuresOf(
  search: OffenderSearch,
  figures: readonly Figure[],
  vehicles: (overloads: Statement) => Statement,
): Statement {
  const { from, until, locations } = search
  const joinsWorst = figures.includes('worst') && (from || until)
  const rowsOf = (table: 'offender' | 'offender_location', condition: Statement): Statement => sql`
    from ${raw(table)} h
    ${joinsWorst ? joinWorstInRange(search, table, condition) : sql``}
    where ${condition}`
  if (!locations?.length)
    return sql`
    select vehicle_id, carrier_key, ${columnsOf(figures, (figure) => figureIn(search, figure))}
    ${rowsOf('offender', vehicles(sql`h.overloads`))}
    offset 0`
  // Stations where a vehicle was never overloaded matter only for these figures.
  const isOfPassages = figures.includes('passages') || figures.includes('last_seen')
  return sql`
    select vehicle_id, ${columnsOf(figures, (figure) => sumOf(figure, figureIn(search, figure)))}
    ${rowsOf(
      'offender_location',
      sql`
      h.location_id = any(${ints(locations)}::int[]) and ${vehicles(sql`h.overloads_of_vehicle`)}
        and ${isOfPassages ? sql`true` : sql`h.overloads > 0`}`,
    )}
    group by vehicle_id
    offset 0`
}

/** Figures of vehicles that have a carrier, with its key. */
function carriedFigures(
  search: OffenderSearch,
  figures: readonly Figure[],
  vehicles: (overloads: Statement) => Statement,
) {
  const rows = figuresOf(search, figures, vehicles)
  return search.locations?.length
    ? sql`
      select f.*, o.carrier_key
      from (${rows}) f
      join offender o on o.vehicle_id = f.vehicle_id
      where f.overloads > 0 and o.carrier_key is not null`
    : sql`select * from (${rows}) f where f.overloads > 0 and f.carrier_key is not null`
}

/** Condition on totals: vehicles that may reach the minimum in the range. */
const candidateCondition =
  ({ repeatOnly, locations }: OffenderSearch, minOverloads: number) =>
  (overloads: Statement): Statement => {
    const isRepeat = locations?.length
      ? sql`h.vehicle_id in (select vehicle_id from offender where repeat_since is not null)`
      : sql`h.repeat_since is not null`
    // A repeat offender has three, which an index excludes most others by.
    return repeatOnly
      ? sql`${overloads} >= ${Math.max(REPEAT_DAYS, minOverloads)} and ${isRepeat}`
      : sql`${overloads} >= ${minOverloads}`
  }

/** A page of rows, and the number and overloads of all. */
type Page<Row> = { rows: Row[]; total: number; totalOverloads: number }
type Totals = { total: number; totalOverloads: number }

const toPage = <Row extends Totals>(rows: Row[]): Page<Row> => {
  const [{ total, totalOverloads } = { total: 0, totalOverloads: 0 }] = rows
  return { rows, total, totalOverloads }
}

const TOTALS = raw('select count(*)::int as total, sum(overloads)::int as total_overloads')

/** A page of vehicles. Of all of them only the overloads and what they are sorted by are read. */
export async function offenderPage(db: Database, search: OffenderSearch): Promise<Page<CarriedRow>> {
  const { figures } = SORTS[search.orderBy]
  const rows = await db.query<CarriedRow & Totals>(sql`
    with figures as materialized (
      select * from (${figuresOf(search, ['overloads', ...figures], candidateCondition(search, search.minOverloads))}) f
      where overloads >= ${search.minOverloads}
    ), totals as (
      ${TOTALS} from figures
    ), page as materialized (
      select vehicle_id, row_number() over () as place
      from (select * from figures ${pageOf(search, 'vehicle_id')}) f
    )
    select p.vehicle_id as "vehicleId", f.passages, f.overloads, f.worst, f.last_seen as "lastSeen",
           o.repeat_since::text as "offenderSince", o.carrier_key as key, o.carrier as name, o.tax_id as "taxId", total,
           total_overloads as "totalOverloads"
    from page p
    join (${figuresOf(search, FIGURES, () => sql`h.vehicle_id = any(array(select vehicle_id from page))`)}) f
      on f.vehicle_id = p.vehicle_id
    join offender o on o.vehicle_id = p.vehicle_id
    cross join totals
    order by place`)
  if (rows.length > 0 || search.page === 1) return toPage(rows)
  return { ...(await offenderPage(db, { ...search, page: 1, limit: 1 })), rows: [] }
}

/**
 * Vehicles of a carrier, with most overloads first; none if there is no such carrier. `mac`: HMAC-SHA256 of its key, cut to
 * its length; the database has no function for it, but for the hash.
 */
export const vehiclesOfCarrier = (db: Database, mac: Buffer, { inner, outer }: HmacPads) =>
  db.query<OffenderRow & Carrier>(sql`
  select vehicle_id as "vehicleId", passages, overloads, worst, last_seen as "lastSeen",
         repeat_since::text as "offenderSince", carrier_key as key, carrier as name, tax_id as "taxId"
  from offender
  where carrier_key = (
    select carrier_key from offender
    where carrier_key is not null and length(${mac}::bytea) = 16
      and substring(sha256(${outer}::bytea || sha256(${inner}::bytea || convert_to(carrier_key, 'UTF8'))) for 16) = ${mac}::bytea
    limit 1)
  order by overloads desc, vehicle_id`)

/** A page of carriers, each with the vehicles whose latest inspection with a carrier names it. */
export async function carrierPage(db: Database, search: OffenderSearch): Promise<Page<CarrierRow>> {
  const { figures } = SORTS[search.orderBy]
  const sums = (figures: readonly Figure[]) => columnsOf(figures, (figure) => sumOf(figure, raw(`f.${figure}`)))
  const rows = await db.query<CarrierRow & Totals>(sql`
    with carriers as materialized (
      select f.carrier_key as key, ${sums(['overloads', ...figures])}
      from (${carriedFigures(search, ['overloads', ...figures], candidateCondition(search, 1))}) f
      group by 1
      having sum(f.overloads) >= ${search.minOverloads}
    ), totals as (
      ${TOTALS} from carriers
    ), page as materialized (
      select key, row_number() over () as place from (select * from carriers ${pageOf(search, 'key')}) c
    ), own as materialized (
      select vehicle_id, carrier_key as key, carrier, tax_id
      from offender where carrier_key = any(array(select key from page))
    ), complete as (
      select o.key, max(o.carrier) as name, max(o.tax_id) as tax_id, count(*)::int as vehicles,
             array_agg(f.vehicle_id order by f.vehicle_id) as vehicle_ids, ${sums(FIGURES)}
      from own o
      join (${figuresOf(
        search,
        FIGURES,
        (overloads) =>
          sql`h.vehicle_id = any(array(select vehicle_id from own)) and ${candidateCondition(search, 1)(overloads)}`,
      )}) f on f.vehicle_id = o.vehicle_id
      where f.overloads > 0
      group by 1
    )
    select c.key, c.name, c.tax_id as "taxId", c.vehicles, c.vehicle_ids as "vehicleIds", c.passages, c.overloads, c.worst,
           c.last_seen as "lastSeen", total, total_overloads as "totalOverloads"
    from page p
    join complete c on c.key = p.key
    cross join totals
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
}

const INSPECTION =
  raw(`s.vehicle_id as "vehicleId", i.id, i.code, i.year, i.sequence, i.state, i.announced_at as "announcedAt",
         i.results, i.confirmed`)

/** The inspections of vehicles, latest first. */
export const listInspections = (db: Database, ids: readonly number[]) =>
  db.query<InspectionRow & { carrier: string | null; carrierKey: string | null; taxId: string | null }>(sql`
  select ${INSPECTION}, i.carrier, i.tax_id as "taxId", coalesce(i.tax_id, lower(i.carrier)) as "carrierKey"
  from ${inspectionsOfVehicles}
  where s.vehicle_id = any(${ints(ids)}::int[])
  order by i.announced_at desc, i.id desc`)

/** The latest inspection of each of these vehicles that was inspected, and their number. */
export const latestInspections = (db: Database, ids: readonly number[]) =>
  db.query<InspectionRow & { inspections: number }>(sql`
  select distinct on (s.vehicle_id) ${INSPECTION}, (count(*) over (partition by s.vehicle_id))::int as inspections
  from ${inspectionsOfVehicles}
  where s.vehicle_id = any(${ints(ids)}::int[])
  order by s.vehicle_id, i.announced_at desc, i.id desc`)

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
export const listOffenderDays = (db: Database, vehicleId: number) =>
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
export const listSpellings = (db: Database, vehicleId: number) =>
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

/**
 * Plates of vehicles as sent, without those that are placeholders since a time: a subquery of its own, so that Citus sends
 * these to its workers instead of both tables.
 */
async function platesOfVehicles(db: Database, vehicleIds: readonly number[], since: Date): Promise<Statement> {
  const vehicles = sql`s.vehicle_id = any(${ints(vehicleIds)}::int[])`
  return sql`(
      select s.id, p.plate, p.nationality
      from spelling s
      join spelling_plate p on p.spelling_id = s.id
      where ${vehicles} and p.plate <> all(${await findPlaceholders(db, vehicles, since)}::text[])
    ) p`
}

/** Passages of a vehicle by id of the spelling, without those of placeholders. */
export async function passagesBySpelling(db: Database, vehicleId: number, since: Date, until: Date) {
  const rows = await db.query<{ id: number; passages: number }>(sql`
    select p.id, count(*)::int as passages
    from ${await platesOfVehicles(db, [vehicleId], since)}
    join vehicle v on v.plate_lpr = p.plate and coalesce(v.nationality, '') = p.nationality
      and v.created_at >= ${since}::timestamptz and v.created_at <= ${until}::timestamptz
    group by 1`)
  return new Map(rows.map(({ id, passages }) => [id, passages]))
}

/**
 * The `limit` vehicles that were seen last, which alone can have one of the last `limit` passages, and the latest day since
 * which they have at least so many; null if they have fewer.
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

/**
 * The last passages of vehicles since a time, latest first, without those of placeholders; only from the days on which
 * they were.
 */
export async function lastPassages(db: Database, vehicleIds: readonly number[], since: Date, limit: number) {
  const { ids, day } = await lastVehicles(db, vehicleIds, limit)
  return db.query<PassageRow>(sql`
    select v.id, v.created_at as "createdAt", v.location_id as "locationId", v.plate_lpr as "plateLpr",
           v.total_load as "totalLoad", v.violations & 1 > 0 as overload,
           greatest(v.overload_sa, v.overload_ma, v.overload_tl) as excess
    from ${await platesOfVehicles(db, ids, since)}
    join vehicle v on v.plate_lpr = p.plate and coalesce(v.nationality, '') = p.nationality
      and v.created_at >= ${day ? new Date(fromWarsaw(Date.parse(day))) : since}::timestamptz
    order by v.created_at desc, v.id desc
    limit ${limit}`)
}
