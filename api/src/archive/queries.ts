import type { SortColumn } from '@rogatka/contract/vehicle.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { MISREAD_DIGITS, MISREAD_LETTERS } from '@rogatka/domain/vehicle/plateMatch.ts'
import { splitReading } from '@rogatka/domain/vehicle/reading.ts'
import type { Database } from '../core/database.ts'
import type { PassageKey } from '../core/passage.ts'
import { escapeLike, join, raw, type Statement, sql } from '../core/statement.ts'
import type { StationDay, UnderivedDay } from './derived/queries.ts'
import { type Bound, type Filter, intervalOf, isUnsettled, type Sort } from './filter.ts'
import {
  type IntervalCount,
  type IntervalMs,
  isDay,
  isHour,
  isWholeHours,
  mergeAdjacent,
  splitAtHours,
} from './intervals.ts'

/** Listed plates, with or without nationality, plates like a pattern, or plates with a minimum similarity (0 to 1). */
export type PlateCondition =
  | { plates: string[] }
  | { readings: string[] }
  | { like: string }
  | { similarTo: string; minSimilarity: number }
/** A filter with its plate condition; null: any vehicle, with a plate or without. */
export type SearchSpec = { filter: Filter; plates: PlateCondition | null }

const toDate = (ms: number) => new Date(ms)
const allOf = (conditions: Statement[]) => join(conditions, ' and ')
const anyOf = (conditions: Statement[]) => join(conditions, ' or ')
const unionAll = (parts: Statement[]) => join(parts, ' union all ')

/** `=` for a single value: an index on the column then still provides the order of its next column. */
const equalsAny = (column: Statement, values: number[]) =>
  values.length === 1 ? sql`${column} = ${values[0] as number}` : sql`${column} = any(${values})`

const stationCondition = ({ locations }: Filter) => equalsAny(sql`location_id`, locations)

/** Conditions, besides station and time, on columns that the roll-ups have too, with the same names. */
const rollUpConditions = ({ lanes, categories, violationSets }: Filter): Statement[] => [
  ...(lanes.length ? [equalsAny(sql`lane_number`, lanes)] : []),
  ...(categories.length ? [equalsAny(sql`ctg8p1`, categories)] : []),
  // Compares whole sets, not bits: for these the planner has statistics.
  ...(violationSets.length ? [equalsAny(sql`violations`, violationSets)] : []),
]

const RANGE_COLUMNS: Record<Bound['field'], Statement> = {
  Speed: sql`speed`,
  TotalLoad: sql`total_load`,
  VehLength: sql`veh_length`,
  VehHeight: sql`veh_height`,
  NumberOfAxles: sql`number_of_axles`,
  OverloadSA: sql`overload_sa`,
  OverloadMA: sql`overload_ma`,
  OverloadTL: sql`overload_tl`,
}

const boundCondition = ({ field, min, max }: Bound) =>
  allOf([
    ...(min === null ? [] : [sql`${RANGE_COLUMNS[field]} >= ${min}::int`]),
    ...(max === null ? [] : [sql`${RANGE_COLUMNS[field]} <= ${max}::int`]),
  ])

/** Hours of the day and weekdays of a time in Poland. */
const timeConditions = ({ hours, weekdays }: Filter, time: Statement): Statement[] => {
  const local = sql`${time} at time zone 'Europe/Warsaw'`
  return [
    ...(hours.length ? [equalsAny(sql`extract(hour from ${local})::int`, hours)] : []),
    ...(weekdays.length ? [equalsAny(sql`extract(isodow from ${local})::int - 1`, weekdays)] : []),
  ]
}

const isOneOf = (plates: readonly string[]) =>
  plates.length === 1 ? sql`plate_lpr = ${plates[0] as string}` : sql`plate_lpr = any(${[...plates]})`

/** Any of these plates, those with a nationality only with that one. By their plates they are found in the index. */
function isReading(readings: readonly string[]) {
  const parts = readings.map(splitReading)
  const ofAnyNationality = parts.flatMap(([plate, nationality]) => (nationality === null ? [plate] : []))
  return sql`${isOneOf([...new Set(parts.map(([plate]) => plate))])} and (plate_lpr = any(${ofAnyNationality}::text[])
    or plate_lpr || ':' || coalesce(nationality, '') = any(${[...readings]}::text[]))`
}

const plateCondition = (plates: PlateCondition) => {
  if ('plates' in plates) return isOneOf(plates.plates)
  if ('readings' in plates) return isReading(plates.readings)
  if ('like' in plates) return sql`plate_lpr like ${plates.like}`
  return sql`similarity(translate(plate_lpr, ${MISREAD_LETTERS}, ${MISREAD_DIGITS}), ${plates.similarTo}) >= ${plates.minSimilarity}`
}

/** A day or an hour at one station. */
type Cell = IntervalMs & { locationId: number }
/** Maximum cells listed one by one: with more, the statement itself becomes slow. */
export const MAX_CELLS = 50
/** Where to search: intervals at all stations of the filter, or a few cells if only those can match. */
type SearchScope = { intervals: readonly IntervalMs[]; cells?: readonly Cell[] | undefined }

const isBetween = (time: Statement, { from, to }: IntervalMs) =>
  sql`(${time} >= ${toDate(from)}::timestamptz and ${time} < ${toDate(to)}::timestamptz)`

/** Compares dates with dates, as stored. */
const isOnDays = (days: readonly IntervalMs[]) =>
  sql`(${anyOf(mergeAdjacent(days).map(({ from, to }) => sql`(day >= ${toDate(from)}::date and day < ${toDate(to)}::date)`))})`

const isDuring = (time: Statement, intervals: readonly IntervalMs[]) =>
  sql`(${anyOf(mergeAdjacent(intervals).map((run) => isBetween(time, run)))})`

const scopeCondition = (time: Statement, filter: Filter, { intervals, cells }: SearchScope) => {
  if (!cells) return sql`${isDuring(time, intervals)} and ${stationCondition(filter)}`
  const inCells = cells.map((cell) => sql`(location_id = ${cell.locationId} and ${isBetween(time, cell)})`)
  return sql`(${anyOf(inCells)})`
}

const searchCondition = ({ filter, plates }: SearchSpec, scope: SearchScope) =>
  allOf([
    scopeCondition(sql`created_at`, filter, scope),
    ...rollUpConditions(filter),
    ...filter.bounds.map((bound) => boundCondition(bound)),
    ...timeConditions(filter, sql`created_at`),
    ...(filter.costClasses.length ? [equalsAny(sql`coalesce(ctg323, 0)`, filter.costClasses)] : []),
    ...(filter.nationalities.length ? [sql`coalesce(nationality, '-') = any(${filter.nationalities})`] : []),
    ...(plates ? [plateCondition(plates)] : []),
    ...(filter.taggedBy === null ? [] : [taggedCondition(filter.taggedBy, scope.intervals)]),
  ])

/** Finds vehicles by the user's tags within the intervals. */
const taggedCondition = (userId: number, intervals: readonly IntervalMs[]) => sql`
  (location_id, created_at, id) in (
    select location_id, created_at, vehicle_id from tag where user_id = ${userId} and type = 1 and ${isDuring(sql`created_at`, intervals)})`

/** The rows of vehicle_day with the fewest dimensions that cover the filter (migrations/0003). */
const dailyCounts = (filter: Filter) => {
  const requested = (filter.lanes.length && 1) + (filter.categories.length && 2) + (filter.violationSets.length && 4)
  return sql`dimensions = ${[0, 1, 2, 4].includes(requested) ? requested : 7}
    and ${allOf([stationCondition(filter), ...rollUpConditions(filter)])}`
}

const stationDays = (days: readonly StationDay[]) => sql`
  select * from unnest(${days.map(({ locationId }) => String(locationId))}::int[],
                       ${days.map(({ day }) => toDate(day).toISOString())}::date[])`

/**
 * Parts of a sum with the vehicles of a part of an hour under `start`: its rows, or, if the rest of the hour is shorter, the
 * whole hour of the roll-up and the rows of that rest with a minus, unless the roll-up may be ahead of the rows.
 */
function countsOfPart(
  filter: Filter,
  part: IntervalMs,
  start: number,
  underived: readonly UnderivedDay[],
): Statement[] {
  const countedRows = (intervals: readonly IntervalMs[], sign: '' | '-') => sql`
    select ${toDate(start)}::timestamptz, ${raw(sign)} count(*)::int
    from vehicle
    where ${searchCondition({ filter, plates: null }, { intervals })}`
  const hour = part.from - (part.from % HOUR_MS)
  const rest = [
    { from: hour, to: part.from },
    { from: part.to, to: hour + HOUR_MS },
  ].filter(({ from, to }) => from < to)
  if (part.to - part.from <= HOUR_MS / 2 || isUnsettled(filter, part, underived)) return [countedRows([part], '')]
  return [
    sql`
    select ${toDate(start)}::timestamptz, coalesce(sum(vehicles), 0)::int
    from traffic_hour
    where hour = ${toDate(hour)}::timestamptz and ${allOf([stationCondition(filter), ...rollUpConditions(filter), ...timeConditions(filter, sql`hour`)])}`,
    countedRows(rest, '-'),
  ]
}

/**
 * Vehicles per interval from the daily and hourly roll-ups; only partial hours are counted row by row. Underived days
 * are summed from their hours. Empty intervals are omitted.
 */
export function countsByInterval(
  db: Database,
  filter: Filter,
  intervals: readonly IntervalMs[],
  underived: readonly UnderivedDay[],
) {
  const days = intervals.filter(isDay)
  const whole = new Set(days.map(({ from }) => from))
  const stations = new Set(filter.locations)
  const missing = underived.filter(({ locationId, day }) => whole.has(day) && stations.has(locationId))
  const hours = intervals.filter(isHour)
  const ends = intervals.filter((interval) => !isDay(interval) && !isHour(interval))
  const byHour = allOf([stationCondition(filter), ...rollUpConditions(filter)])
  const underivedDays = new Set(missing.map(({ day }) => day))
  const isUnderived = missing.length > 0 && sql`(location_id, day) in (${stationDays(missing)})`

  const parts = [
    days.length > 0 &&
      sql`
    select day::timestamptz as start, sum(vehicles)::int as vehicles
    from vehicle_day
    where ${isOnDays(days)} and ${dailyCounts(filter)} ${isUnderived ? sql`and not (${isUnderived})` : sql``}
    group by day`,
    isUnderived &&
      sql`
    select day::timestamptz, sum(vehicles)::int
    from (select *, date_trunc('day', hour, 'UTC')::date as day from traffic_hour
          where ${isDuring(
            sql`hour`,
            days.filter(({ from }) => underivedDays.has(from)),
          )} and ${byHour}) hours
    where ${isUnderived}
    group by day`,
    hours.length > 0 &&
      sql`
    select hour, sum(vehicles)::int
    from traffic_hour
    where ${isDuring(sql`hour`, hours)} and ${byHour}
    group by hour`,
    ...ends.flatMap((end) => countsOfPart(filter, end, end.from, underived)),
  ].filter((part) => part !== false)

  return db.query<{ start: Date; vehicles: number }>(sql`
    select start, sum(vehicles)::int as vehicles
    from (${unionAll(parts)}) as parts (start, vehicles)
    group by start
    having sum(vehicles) > 0`)
}

/**
 * Vehicles per hour of the intervals from the hourly roll-up, also of some hours of the day and weekdays; only partial hours
 * are counted row by row. Empty hours are omitted.
 */
export async function countsByWholeHour(
  db: Database,
  filter: Filter,
  intervals: readonly IntervalMs[],
  underived: readonly UnderivedDay[],
) {
  const parts = intervals.flatMap(splitAtHours)
  if (parts.length === 0) return []
  const hours = parts.filter(isWholeHours)
  const ends = parts.filter((part) => !isWholeHours(part))
  const ofHours =
    hours.length > 0 &&
    sql`
    select hour, sum(vehicles)::int
    from traffic_hour
    where ${allOf([
      isDuring(sql`hour`, hours),
      stationCondition(filter),
      ...rollUpConditions(filter),
      ...timeConditions(filter, sql`hour`),
    ])}
    group by hour`
  const ofEnds = ends.flatMap((end) => countsOfPart(filter, end, end.from - (end.from % HOUR_MS), underived))
  return db.query<{ start: Date; vehicles: number }>(sql`
    select start, sum(vehicles)::int as vehicles
    from (${unionAll([...(ofHours ? [ofHours] : []), ...ofEnds])}) as parts (start, vehicles)
    group by start
    having sum(vehicles) > 0
    order by start`)
}

/** Vehicles per hour of the intervals, counted row by row. */
export const countsByHour = (db: Database, spec: SearchSpec, intervals: readonly IntervalMs[]) =>
  db.query<{ start: Date; vehicles: number }>(sql`
  select date_bin('1 hour', created_at, 'epoch') as start, count(*)::int as vehicles
  from vehicle
  where ${searchCondition(spec, { intervals })}
  group by 1
  order by 1`)

/** The days at stations with vehicles of the filter, as far as they are derived. */
export const derivedDays = (db: Database, filter: Filter, days: readonly IntervalMs[]) =>
  db.query<StationDay>(sql`
  select distinct location_id as "locationId", extract(epoch from day)::float8 * 1000 as day
  from vehicle_day
  where ${isOnDays(days)} and ${dailyCounts(filter)}`)

/** The months (UTC) at stations with vehicles of the filter, as far as they are derived; each by its start. */
export const derivedMonths = (db: Database, filter: Filter, days: IntervalMs) =>
  db.query<StationDay>(sql`
  select distinct location_id as "locationId", extract(epoch from date_trunc('month', day))::float8 * 1000 as day
  from vehicle_day
  where ${isOnDays([days])} and ${dailyCounts(filter)}`)

/** Vehicles per station and hour in a scope. */
export async function countsByStationHour(db: Database, filter: Filter, scope: SearchScope) {
  const rows = await db.query<{ locationId: number; hour: Date; vehicles: number }>(sql`
    select location_id as "locationId", hour, sum(vehicles)::int as vehicles
    from traffic_hour
    where ${allOf([scopeCondition(sql`hour`, filter, scope), ...rollUpConditions(filter)])}
    group by 1, 2
    order by 2, 1`)
  return rows.map(({ locationId, hour, vehicles }): IntervalCount & Cell => {
    const from = hour.getTime()
    return { locationId, from, to: from + HOUR_MS, vehicles }
  })
}

const SORT_COLUMNS: Record<SortColumn, Statement> = {
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
/** Columns without nulls: `nulls last` would keep the planner from reading an index backwards for their order. */
const NOT_NULL_COLUMNS: readonly SortColumn[] = ['createdAt', 'locationId']

/** The requested order, ties by newest, then by id; reversed with `fromEnd`. */
const orderBy = (sorts: readonly Sort[], fromEnd: boolean) => {
  const byTime = sorts.some(({ column }) => column === 'createdAt')
  const full: readonly Sort[] = byTime ? sorts : [...sorts, { column: 'createdAt', direction: 'desc' }]
  const parts = full.map(({ column, direction }) => {
    const order = (direction === 'asc') !== fromEnd ? sql`asc` : sql`desc`
    const nulls = NOT_NULL_COLUMNS.includes(column) ? sql`` : fromEnd ? sql`nulls first` : sql`nulls last`
    return sql`${SORT_COLUMNS[column]} ${order} ${nulls}`
  })
  return join([...parts, fromEnd ? sql`id desc` : sql`id`], ', ')
}

const KEY = sql`location_id as "locationId", created_at as "createdAt", id`

type PageSlice = { limit: number; offset: number; fromEnd?: boolean }

/** Keys of a slice of the vehicles, in the requested order. */
export const pageKeys = (db: Database, spec: SearchSpec, scope: SearchScope, sorts: readonly Sort[], part: PageSlice) =>
  db.query<PassageKey>(sql`
  select ${KEY} from ${searchSource(spec, scope)}
  order by ${orderBy(sorts, part.fromEnd ?? false)}
  limit ${part.limit} offset ${part.offset}`)

/**
 * `offset 0` is an optimisation fence: without it the planner scans vehicles in order until it has enough tagged ones.
 */
const searchSource = (spec: SearchSpec, scope: SearchScope) =>
  spec.filter.taggedBy === null
    ? sql`vehicle where ${searchCondition(spec, scope)}`
    : sql`(select * from vehicle where ${searchCondition(spec, scope)} offset 0) as tagged`

/** Query for a cursor: keys of all vehicles in the requested order. */
export const selectKeys = (spec: SearchSpec, sorts: readonly Sort[]) => sql`
  select ${KEY} from vehicle
  where ${searchCondition(spec, { intervals: [intervalOf(spec.filter)] })}
  order by ${orderBy(sorts, false)}`

/**
 * Query for a cursor: all vehicles in the requested order, read by `fromRow`. Columns are read by position: for
 * hundreds of thousands of rows, building objects by name is most of the work.
 */
export const selectRows = (spec: SearchSpec, sorts: readonly Sort[]) => sql`
  select id, date_part('epoch', created_at) * 1000, location_id, lane_number, plate_lpr, nationality, ctg8p1, ctg323,
         speed, speed_limit, total_load, limit_total_load, overload_tl, overload_sa, overload_ma,
         veh_length, limit_length, veh_height, limit_height, number_of_axles, violations
  from vehicle
  where ${searchCondition(spec, { intervals: [intervalOf(spec.filter)] })}
  order by ${orderBy(sorts, false)}`

/**
 * Query for a cursor: the same vehicles with their details, each as the text of a record, read by `parseRecord`: the
 * driver creates one string per row instead of one per column. Planned with `planForStreaming`.
 */
export const selectRecords = (spec: SearchSpec, sorts: readonly Sort[]) => sql`
  select row(id, date_part('epoch', created_at) * 1000, location_id, lane_number, plate_lpr, nationality, ctg8p1, ctg323,
             speed, speed_limit, total_load, limit_total_load, overload_tl, overload_sa, overload_ma, veh_length,
             limit_length, veh_height, limit_height, number_of_axles, violations, accuracy_class, axles)::text
  from vehicle
  left join (
    select location_id as of_location, created_at as of_time, id as of_id, accuracy_class, axles
    from vehicle_detail
    where created_at >= ${spec.filter.from}::timestamptz and created_at < ${spec.filter.to}::timestamptz
  ) detail on of_location = location_id and of_time = created_at and of_id = id
  where ${searchCondition(spec, { intervals: [intervalOf(spec.filter)] })}
  order by ${orderBy(sorts, false)}`

/**
 * Planner options for `selectRecords`. Details are looked up for each vehicle found: should the planner overestimate
 * their number, it would read the details of all vehicles of the period. A plan that yields its first rows at once may
 * cost up to twice as much as one that sorts all of them first, because the rows are formatted meanwhile.
 */
export const planForStreaming = (db: Database) =>
  db.execute(sql`
  select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
         set_config('cursor_tuple_fraction', '0.5', true)`)

/** Number of vehicles, counted row by row. */
export async function countVehicles(db: Database, spec: SearchSpec): Promise<number> {
  const [row] = await db.query<{ vehicles: number }>(sql`
    select count(*)::int as vehicles from vehicle where ${searchCondition(spec, { intervals: [intervalOf(spec.filter)] })}`)
  return row?.vehicles ?? 0
}

/** Number of vehicles in [from, to), of all stations. */
export async function countStoredVehicles(db: Database, from: Date, to: Date): Promise<number> {
  const [row] = await db.query<{ vehicles: number }>(sql`
    select count(*)::int as vehicles from vehicle where created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz`)
  return row?.vehicles ?? 0
}

/** Indexed plates like a pattern, unordered. */
export const platesLike = (db: Database, like: string, limit: number) =>
  db.query<{ plate: string }>(sql`
  select plate from plate where plate like ${like} limit ${limit}`)

/** Indexed plates with a beginning, in alphabetical order. */
export const platesBeginningWith = (db: Database, beginning: string, limit: number) =>
  db.query<{ plate: string }>(sql`
  select plate from plate where plate like ${`${escapeLike(beginning)}%`} order by plate limit ${limit}`)

/** The plates with a beginning among the newest vehicles of an interval, indexed or not. */
export const newestPlatesBeginningWith = (
  db: Database,
  beginning: string,
  { from, to }: IntervalMs,
  vehicles: number,
) =>
  db.query<{ plate: string }>(sql`
  select distinct plate_lpr as plate
  from (select plate_lpr from vehicle
        where ${isBetween(sql`created_at`, { from, to })}
        order by created_at desc, id desc limit ${vehicles}) as newest
  where plate_lpr like ${`${escapeLike(beginning)}%`}`)

export type FoundPlate = {
  plateLpr: string
  detections: number
  id: number
  createdAt: Date
  locationId: number
  nationality: string | null
}

/** Of these plates the ones detected last in an interval, newest first, each with its newest detection. */
export const latestDetections = (db: Database, plates: readonly string[], { from, to }: IntervalMs, limit: number) =>
  db.query<FoundPlate>(sql`
  select * from (
    select distinct on (plate) plate as "plateLpr", detections, id, created_at as "createdAt",
           location_id as "locationId", nationality
    from (select plate_lpr as plate, max(created_at) as last_at, count(*)::int as detections
          from vehicle
          where ${isOneOf(plates)} and ${isBetween(sql`created_at`, { from, to })}
          group by plate_lpr
          order by last_at desc, plate limit ${limit}) as latest
    join vehicle on plate_lpr = plate and created_at = last_at
      and ${isBetween(sql`created_at`, { from, to })}
    order by plate, location_id, id) as found
  order by "createdAt" desc, "plateLpr"`)

/** Indexed plates with at least this similarity (0 to 1); `form` is the plate with misread characters unified. */
export async function similarPlates(db: Database, form: string, minSimilarity: number, limit: number) {
  // Both are sent at once; a connection runs statements in order.
  const [, plates] = await Promise.all([
    db.query(sql`select set_config('pg_trgm.similarity_threshold', ${String(minSimilarity)}, true)`),
    db.query<{ plate: string }>(sql`select plate from plate where misread % ${form} limit ${limit}`),
  ])
  return plates
}

/** The distinct plates of a search in a scope. */
export const platesIn = (db: Database, spec: SearchSpec, scope: SearchScope) =>
  db.query<{ plate: string }>(sql`
  select distinct plate_lpr as plate from vehicle where ${searchCondition(spec, scope)}`)
