import type { InspectionResult } from '@rogatka/contract/inspections.ts'
import type { InspectionState, OffenderSort } from '@rogatka/contract/options.ts'
import type { SortDirection } from '@rogatka/contract/wire.ts'
import type { JoinRule } from '@rogatka/domain/offenders/joins.ts'
import type { Database } from '../core/database.ts'
import { raw, type Statement, sql } from '../core/statement.ts'

const ints = (values: readonly number[]) => values.map(String)

export type OffenderSearch = {
  from: string | undefined
  until: string | undefined
  locations: readonly number[] | undefined
  minOverloads: number
  orderBy: OffenderSort
  orderDirection: SortDirection
  page: number
  limit: number
}

type Figures = { passages: number; overloads: number; worst: number; lastSeen: Date }
export type OffenderRow = Figures & { vehicleId: number }
export type Carrier = { name: string; taxId: string | null }
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

const inRange = ({ from, until, locations }: OffenderSearch): Statement => sql`
  ${from ? sql`d.day >= ${from}::date` : sql`true`} and ${until ? sql`d.day <= ${until}::date` : sql`true`}
  and ${locations?.length ? sql`d.location_id = any(${ints(locations)}::int[])` : sql`true`}`

/** The figures of vehicles in the range: from their totals if the range is everything. */
function figuresIn(search: OffenderSearch, minOverloads: number): Statement {
  const { from, until, locations } = search
  if (!from && !until && !locations?.length)
    return sql`select vehicle_id, passages, overloads, worst, last_seen from offender where overloads >= ${minOverloads}`
  // Totals exclude most vehicles before their days are read.
  return sql`
    select d.vehicle_id, sum(d.passages)::int as passages, sum(d.overloads)::int as overloads, max(d.worst) as worst,
           max(d.last_seen) as last_seen
    from offender o
    join offender_day d on d.vehicle_id = o.vehicle_id
    where o.overloads >= ${minOverloads} and ${inRange(search)}
    group by 1
    having sum(d.overloads) >= ${minOverloads}`
}

type Page<Row> = { rows: Row[]; total: number }

/** A page of vehicles, and their number. */
export async function offenderPage(db: Database, search: OffenderSearch): Promise<Page<OffenderRow>> {
  const { from, until, locations, orderBy } = search
  const isEverything = !from && !until && !locations?.length
  const byOverloads = !isEverything && (orderBy === 'overloads' || orderBy === 'worst')
  const found = await db.query<OffenderRow & { total: number }>(
    byOverloads ? selectByOverloads(search) : selectByFigures(search),
  )
  if (found.length > 0 || search.page === 1) return { rows: found, total: found[0]?.total ?? 0 }
  return { ...(await offenderPage(db, { ...search, page: 1, limit: 1 })), rows: [] }
}

const selectByFigures = (search: OffenderSearch): Statement => sql`
    with figures as materialized (${figuresIn(search, search.minOverloads)})
    select vehicle_id as "vehicleId", passages, overloads, worst, last_seen as "lastSeen",
           (select count(*)::int from figures) as total
    from figures ${pageOf(search, 'vehicle_id')}`

/** Reads of most vehicles only the days with an overload, which are few, and all days of those on the page. */
const selectByOverloads = (search: OffenderSearch): Statement => sql`
    with overloaded as materialized (
      select d.vehicle_id, sum(d.overloads)::int as overloads, max(d.worst) as worst
      from offender_day d
      where d.overloads > 0 and ${inRange(search)}
      group by 1
      having sum(d.overloads) >= ${search.minOverloads}
    ), page as materialized (
      select vehicle_id, overloads, worst from overloaded ${pageOf(search, 'vehicle_id')}
    )
    select p.vehicle_id as "vehicleId", sum(d.passages)::int as passages, p.overloads, p.worst,
           max(d.last_seen) as "lastSeen", (select count(*)::int from overloaded) as total
    from page p
    join offender_day d on d.vehicle_id = p.vehicle_id and ${inRange(search)}
    group by p.vehicle_id, p.overloads, p.worst
    order by ${raw(`p.${COLUMNS[search.orderBy]} ${search.orderDirection}, p.vehicle_id`)}`

/** Inspections with the vehicle of their plate. */
const inspectionsOfVehicles = sql`
  inspection i
  join spelling_plate p on p.plate = i.passage ->> 'plateLpr'
    and p.nationality = coalesce(i.passage ->> 'nationality', '')
  join spelling s on s.id = p.spelling_id`

/** A page of carriers, each with the vehicles whose latest inspection with a carrier names it, and their number. */
export async function carrierPage(db: Database, search: OffenderSearch): Promise<Page<CarrierRow>> {
  const rows = await db.query<CarrierRow & { total: number }>(sql`
    with carrier as (
      select distinct on (s.vehicle_id) s.vehicle_id, i.carrier as name, i.tax_id,
             coalesce(i.tax_id, lower(i.carrier)) as key
      from ${inspectionsOfVehicles}
      where i.carrier is not null
      order by s.vehicle_id, i.announced_at desc, i.id desc
    ), figures as (${figuresIn(search, 1)}
    ), carriers as materialized (
      select c.key, max(c.name) as name, max(c.tax_id) as tax_id, count(*)::int as vehicles,
             array_agg(f.vehicle_id order by f.vehicle_id) as vehicle_ids, sum(f.passages)::int as passages,
             sum(f.overloads)::int as overloads, max(f.worst) as worst, max(f.last_seen) as last_seen
      from figures f
      join carrier c on c.vehicle_id = f.vehicle_id
      group by 1
      having sum(f.overloads) >= ${search.minOverloads}
    )
    select name, tax_id as "taxId", vehicles, vehicle_ids as "vehicleIds", passages, overloads, worst,
           last_seen as "lastSeen", (select count(*)::int from carriers) as total
    from carriers ${pageOf(search, 'key')}`)
  if (rows.length > 0 || search.page === 1) return { rows, total: rows[0]?.total ?? 0 }
  return { ...(await carrierPage(db, { ...search, page: 1, limit: 1 })), rows: [] }
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
  taxId: string | null
}

/** The inspections of vehicles, latest first. */
export const inspectionsOf = (db: Database, ids: readonly number[]) =>
  db.query<InspectionRow>(sql`
  select s.vehicle_id as "vehicleId", i.id, i.code, i.year, i.sequence, i.state, i.announced_at as "announcedAt",
         i.results, i.confirmed, i.carrier, i.tax_id as "taxId"
  from ${inspectionsOfVehicles}
  where s.vehicle_id = any(${ints(ids)}::int[])
  order by i.announced_at desc, i.id desc`)

/** The vehicle of a spelling, if it was overloaded: joins change it. */
export async function offenderById(db: Database, id: number): Promise<OffenderRow | undefined> {
  const [found] = await db.query<OffenderRow>(sql`
    select o.vehicle_id as "vehicleId", o.passages, o.overloads, o.worst, o.last_seen as "lastSeen"
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
         array_agg(distinct p.plate order by p.plate) as readings
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

/** The last vehicles of a spelling or those joined to it, latest first. */
export const lastPassages = (db: Database, vehicleId: number, limit: number) =>
  db.query<PassageRow>(sql`
  select v.id, v.created_at as "createdAt", v.location_id as "locationId", v.plate_lpr as "plateLpr",
         v.total_load as "totalLoad", v.violations & 1 > 0 as overload,
         greatest(v.overload_sa, v.overload_ma, v.overload_tl) as excess
  from spelling s
  join spelling_plate p on p.spelling_id = s.id
  join vehicle v on v.plate_lpr = p.plate and coalesce(v.nationality, '') = p.nationality
  where s.vehicle_id = ${vehicleId}
  order by v.created_at desc, v.id desc
  limit ${limit}`)
