import type { SortColumn } from '@rogatka/contract/vehicle.ts'
import { MISREAD_DIGITS, MISREAD_LETTERS } from '@rogatka/domain/vehicle/plateMatch.ts'
import type { Database } from '../core/database.ts'
import { join, type Statement, sql } from '../core/statement.ts'
import type { PassageKey } from '../vehicle/queries.ts'
import type { StationDay } from './derived/queries.ts'
import type { Bound, Filter, Sort } from './filter.ts'
import { type Counted, HOUR_MS, type Interval, isDay, isHour, mergeAdjacent } from './intervals.ts'

/** The plates that a search may find: these few, those like a pattern, or those alike by so much (0 to 1). */
export type PlateCondition = { these: string[] } | { like: string } | { alike: string; atLeast: number }
/** A filter with the plates that it means; no plates: any vehicle, read or not. */
export type SearchSpec = { filter: Filter; plates: PlateCondition | null }

const at = (ms: number) => new Date(ms)
const all = (conditions: Statement[]) => join(conditions, ' and ')
const any = (conditions: Statement[]) => join(conditions, ' or ')
const together = (parts: Statement[]) => join(parts, ' union all ')

/** An equality where it is one: then an index on the column still knows the order of the next one. */
const among = (column: Statement, values: number[]) =>
  values.length === 1 ? sql`${column} = ${values[0] as number}` : sql`${column} = any(${values})`

const atStations = ({ locations }: Filter) => among(sql`location_id`, locations)

/** What the roll-ups know too, besides station and time, by columns of the same names. */
const countable = ({ lanes, categories, violationSets }: Filter): Statement[] => [
  ...(lanes.length ? [among(sql`lane_number`, lanes)] : []),
  ...(categories.length ? [among(sql`ctg8p1`, categories)] : []),
  // By the sets themselves, not by their bits: of these the planner knows how many there are.
  ...(violationSets.length ? [among(sql`violations`, violationSets)] : []),
]

const MEASURES: Record<Bound['field'], Statement> = {
  Speed: sql`speed`,
  TotalLoad: sql`total_load`,
  VehLength: sql`veh_length`,
  VehHeight: sql`veh_height`,
  NumberOfAxles: sql`number_of_axles`,
  OverloadSA: sql`overload_sa`,
  OverloadMA: sql`overload_ma`,
  OverloadTL: sql`overload_tl`,
}

const bounded = ({ field, min, max }: Bound) =>
  all([
    ...(min === null ? [] : [sql`${MEASURES[field]} >= ${min}::int`]),
    ...(max === null ? [] : [sql`${MEASURES[field]} <= ${max}::int`]),
  ])

const ofPlates = (plates: PlateCondition) => {
  if ('these' in plates)
    return plates.these.length === 1
      ? sql`plate_lpr = ${plates.these[0] as string}`
      : sql`plate_lpr = any(${plates.these})`
  if ('like' in plates) return sql`plate_lpr like ${plates.like}`
  return sql`similarity(translate(plate_lpr, ${MISREAD_LETTERS}, ${MISREAD_DIGITS}), ${plates.alike}) >= ${plates.atLeast}`
}

/** A day or an hour at one station. */
type Cell = Interval & { locationId: number }
/** So few are named one by one: with more the statement itself takes the time. */
export const FEW_CELLS = 50
/** Where to look: in spans of time at all stations of the filter or, where only these can matter, in a few cells. */
type SearchScope = { spans: readonly Interval[]; cells?: readonly Cell[] | undefined }

const between = (time: Statement, { from, to }: Interval) =>
  sql`(${time} >= ${at(from)}::timestamptz and ${time} < ${at(to)}::timestamptz)`

/** Days without their times: so each is compared as it is stored. */
const onDays = (days: readonly Interval[]) =>
  sql`(${any(mergeAdjacent(days).map(({ from, to }) => sql`(day >= ${at(from)}::date and day < ${at(to)}::date)`))})`

const during = (time: Statement, spans: readonly Interval[]) =>
  sql`(${any(mergeAdjacent(spans).map((run) => between(time, run)))})`

const placed = (time: Statement, filter: Filter, { spans, cells }: SearchScope) => {
  if (!cells) return sql`${during(time, spans)} and ${atStations(filter)}`
  const inCells = cells.map((cell) => sql`(location_id = ${cell.locationId} and ${between(time, cell)})`)
  return sql`(${any(inCells)})`
}

const matching = ({ filter, plates }: SearchSpec, place: SearchScope) =>
  all([
    placed(sql`created_at`, filter, place),
    ...countable(filter),
    ...filter.bounds.map((bound) => bounded(bound)),
    ...(plates ? [ofPlates(plates)] : []),
    ...(filter.taggedBy === null ? [] : [taggedIn(filter.taggedBy, place.spans)]),
  ])

/** The tags say where to look; their own bounds keep it to the tags of the range. */
const taggedIn = (userId: number, spans: readonly Interval[]) => sql`
  (location_id, created_at, id) in (
    select location_id, created_at, vehicle_id from tag where user_id = ${userId} and type = 1 and ${during(sql`created_at`, spans)})`

const rangeOf = ({ from, to }: Filter): Interval => ({ from: from.getTime(), to: to.getTime() })

/** The rows of vehicle_day that tell apart what the filter asks for, and no more (migrations/0003). */
const dailyCounts = (filter: Filter) => {
  const asked = (filter.lanes.length && 1) + (filter.categories.length && 2) + (filter.violationSets.length && 4)
  return sql`dimensions = ${[0, 1, 2, 4].includes(asked) ? asked : 7}
    and ${all([atStations(filter), ...countable(filter)])}`
}

const stationDays = (days: readonly StationDay[]) => sql`
  select * from unnest(${days.map(({ locationId }) => String(locationId))}::int[],
                       ${days.map(({ day }) => at(day).toISOString())}::date[])`

/**
 * How many vehicles are in each of the spans, from the counts by day and by hour; only what is left of an hour is
 * counted one by one. A day that is not derived is taken from its hours. Spans without vehicles are left out.
 */
export function countsByInterval(
  db: Database,
  filter: Filter,
  spans: readonly Interval[],
  underived: readonly StationDay[],
) {
  const days = spans.filter(isDay)
  const whole = new Set(days.map(({ from }) => from))
  const stations = new Set(filter.locations)
  const missing = underived.filter(({ locationId, day }) => whole.has(day) && stations.has(locationId))
  const hours = spans.filter(isHour)
  const ends = spans.filter((span) => !isDay(span) && !isHour(span))
  const byHour = all([atStations(filter), ...countable(filter)])
  const but = missing.length > 0 && sql`(location_id, day) in (${stationDays(missing)})`

  const parts = [
    days.length > 0 &&
      sql`
    select day::timestamptz as start, sum(vehicles)::int as vehicles
    from vehicle_day
    where ${onDays(days)} and ${dailyCounts(filter)} ${but ? sql`and not (${but})` : sql``}
    group by day`,
    but &&
      sql`
    select day::timestamptz, sum(vehicles)::int
    from (select *, date_trunc('day', hour, 'UTC')::date as day from traffic_hour
          where ${during(sql`hour`, days)} and ${byHour}) hours
    where ${but}
    group by day`,
    hours.length > 0 &&
      sql`
    select hour, sum(vehicles)::int
    from traffic_hour
    where ${during(sql`hour`, hours)} and ${byHour}
    group by hour`,
    ...ends.map(
      (end) =>
        sql`
    select ${at(end.from)}::timestamptz, count(*)::int
    from vehicle
    where ${matching({ filter, plates: null }, { spans: [end] })}`,
    ),
  ].filter((part) => part !== false)

  return db.query<{ start: Date; vehicles: number }>(sql`
    select start, sum(vehicles)::int as vehicles
    from (${together(parts)}) as parts (start, vehicles)
    group by start
    having sum(vehicles) > 0`)
}

/** How many vehicles there are in each hour of the spans, counted one by one. */
export const countsByHour = (db: Database, wanted: SearchSpec, spans: readonly Interval[]) =>
  db.query<{ start: Date; vehicles: number }>(sql`
  select date_bin('1 hour', created_at, 'epoch') as start, count(*)::int as vehicles
  from vehicle
  where ${matching(wanted, { spans })}
  group by 1
  order by 1`)

/** The stations that have vehicles of the filter on these days, as far as they are derived. */
export const derivedDays = (db: Database, filter: Filter, days: readonly Interval[]) =>
  db.query<StationDay>(sql`
  select distinct location_id as "locationId", extract(epoch from day)::float8 * 1000 as day
  from vehicle_day
  where ${onDays(days)} and ${dailyCounts(filter)}`)

/** The vehicles of each station in each hour of a place. */
export async function countsByStationHour(db: Database, filter: Filter, place: SearchScope) {
  const rows = await db.query<{ locationId: number; hour: Date; vehicles: number }>(sql`
    select location_id as "locationId", hour, sum(vehicles)::int as vehicles
    from traffic_hour
    where ${all([placed(sql`hour`, filter, place), ...countable(filter)])}
    group by 1, 2
    order by 2, 1`)
  return rows.map(({ locationId, hour, vehicles }): Counted & Cell => {
    const from = hour.getTime()
    return { locationId, from, to: from + HOUR_MS, vehicles }
  })
}

const COLUMNS: Record<SortColumn, Statement> = {
  createdAt: sql`created_at`,
  locationId: sql`location_id`,
  plateLpr: sql`plate_lpr collate "C"`,
  speed: sql`speed`,
  totalLoad: sql`total_load`,
  vehLength: sql`veh_length`,
  vehHeight: sql`veh_height`,
  numberOfAxles: sql`number_of_axles`,
  ctg8p1: sql`nullif(ctg8p1, 0)`,
  overloadSA: sql`overload_sa`,
  overloadMA: sql`overload_ma`,
  overloadTL: sql`overload_tl`,
}
/** Said of these, "nulls last" would hide from the planner that an index read backwards has their order. */
const ALWAYS_THERE: readonly SortColumn[] = ['createdAt', 'locationId']

/** The order that was asked for, ties by the newest, then by id; or the same from its end. */
const ordered = (sorts: readonly Sort[], fromEnd: boolean) => {
  const byTime = sorts.some(({ column }) => column === 'createdAt')
  const full: readonly Sort[] = byTime ? sorts : [...sorts, { column: 'createdAt', direction: 'desc' }]
  const parts = full.map(({ column, direction }) => {
    const way = (direction === 'asc') !== fromEnd ? sql`asc` : sql`desc`
    const nulls = ALWAYS_THERE.includes(column) ? sql`` : fromEnd ? sql`nulls first` : sql`nulls last`
    return sql`${COLUMNS[column]} ${way} ${nulls}`
  })
  return join([...parts, fromEnd ? sql`id desc` : sql`id`], ', ')
}

const KEY = sql`location_id as "locationId", created_at as "createdAt", id`

type PageSlice = { limit: number; offset: number; fromEnd?: boolean }

/** Keys of a part of the vehicles, in the order asked for. */
export const pageKeys = (
  db: Database,
  wanted: SearchSpec,
  place: SearchScope,
  sorts: readonly Sort[],
  part: PageSlice,
) =>
  db.query<PassageKey>(sql`
  select ${KEY} from ${source(wanted, place)}
  order by ${ordered(sorts, part.fromEnd ?? false)}
  limit ${part.limit} offset ${part.offset}`)

/** "offset 0" keeps the planner from walking through the vehicles in their order until it meets enough tagged ones. */
const source = (wanted: SearchSpec, place: SearchScope) =>
  wanted.filter.taggedBy === null
    ? sql`vehicle where ${matching(wanted, place)}`
    : sql`(select * from vehicle where ${matching(wanted, place)} offset 0) as tagged`

/** Keys of all vehicles in the order asked for, to be read from a cursor. */
export const allKeys = (wanted: SearchSpec, sorts: readonly Sort[]) => sql`
  select ${KEY} from vehicle
  where ${matching(wanted, { spans: [rangeOf(wanted.filter)] })}
  order by ${ordered(sorts, false)}`

/**
 * All vehicles in the order asked for with what their rows hold of them, to be read from a cursor, by place: for
 * hundreds of thousands of rows the making of objects by names is most of the work. `fromRow` reads them.
 */
export const allRows = (wanted: SearchSpec, sorts: readonly Sort[]) => sql`
  select id, date_part('epoch', created_at) * 1000, location_id, lane_number, plate_lpr, nationality, ctg8p1, ctg323,
         speed, speed_limit, total_load, limit_total_load, overload_tl, overload_sa, overload_ma,
         veh_length, limit_length, veh_height, limit_height, number_of_axles, violations
  from vehicle
  where ${matching(wanted, { spans: [rangeOf(wanted.filter)] })}
  order by ${ordered(sorts, false)}`

/** How many vehicles there are, counted one by one. */
export async function countOfAll(db: Database, wanted: SearchSpec): Promise<number> {
  const [row] = await db.query<{ vehicles: number }>(sql`
    select count(*)::int as vehicles from vehicle where ${matching(wanted, { spans: [rangeOf(wanted.filter)] })}`)
  return row?.vehicles ?? 0
}

/** How many vehicles of [from, to) are stored, at whichever stations. */
export async function vehiclesBetween(db: Database, from: Date, to: Date): Promise<number> {
  const [row] = await db.query<{ vehicles: number }>(sql`
    select count(*)::int as vehicles from vehicle where created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz`)
  return row?.vehicles ?? 0
}

/** Known plates like a pattern; in no order, at most so many. */
export const platesLike = (db: Database, like: string, limit: number) =>
  db.query<{ plate: string }>(sql`
  select plate from plate where plate like ${like} limit ${limit}`)

/** Known plates alike by at least so much; the form is the one with misread characters made equal. */
export async function similarPlates(db: Database, form: string, atLeast: number, limit: number) {
  // Both go out at once; a connection answers in the order in which it is asked.
  const [, plates] = await Promise.all([
    db.query(sql`select set_config('pg_trgm.similarity_threshold', ${String(atLeast)}, true)`),
    db.query<{ plate: string }>(sql`select plate from plate where misread % ${form} limit ${limit}`),
  ])
  return plates
}

/** The plates of a filter in a place. */
export const platesIn = (db: Database, wanted: SearchSpec, place: SearchScope) =>
  db.query<{ plate: string }>(sql`
  select distinct plate_lpr as plate from vehicle where ${matching(wanted, place)}`)
