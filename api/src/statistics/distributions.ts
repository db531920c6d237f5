import type { Location } from '@rogatka/contract/locations.ts'
import {
  type DistributionFilters,
  MAX_DISTRIBUTION_DAYS,
  type UncountedReason,
} from '@rogatka/contract/statistics-distributions.ts'
import type { Category } from '@rogatka/contract/vehicle.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { dateOf, fromWarsaw } from '@rogatka/domain/core/warsaw.ts'
import {
  annualTraffic,
  averageDailyTraffic,
  completeDays,
  HEAVY_CATEGORIES,
  weekdayOf,
} from '@rogatka/domain/statistics/dailyTraffic.ts'
import { type Daypart, dayparts } from '@rogatka/domain/statistics/dayparts.ts'
import { equivalentAxles } from '@rogatka/domain/statistics/equivalentAxles.ts'
import { meanSpeed, type SpeedCounts, v85 } from '@rogatka/domain/statistics/speedDistribution.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { locations as allLocations, speedLimits } from '../locations/public-api.ts'
import type { StationDay } from './distribution-bin-queries.ts'
import { type DistributionPlan, daysOfPlan, planDistributions, stationDays } from './distribution-plan.ts'
import {
  type DistributionScope,
  deletedDays,
  dirtyVehicleCount,
  findWeighedDays,
  findWeighedMonths,
  fourthPowers,
  type HeadwaySum,
  hasClassOrCountry,
  headwaySums,
  type LoadSum,
  loadsByCategory,
  marksOf,
  type ProfileDay,
  profileDays,
  speedCells,
  weekdayHours,
  weighedDays,
} from './distribution-read-queries.ts'
import { hasDeletedVehicles } from './queries.ts'

/** More days of stations, or vehicles of these, that are not derived yet would take too long to count. */
const MAX_DIRTY_DAYS = 500
const MAX_DIRTY_VEHICLES = 250_000
const RETRY_SECONDS = 60
/** Filters that no roll-up has count at most so many vehicles, of so many days, one by one. */
const MAX_COUNTED_VEHICLES = 500_000
const MAX_COUNTED_DAYS = 500

/** Weeks before the range whose days tell whether a day is complete. */
const WEEKS_BEFORE = 8
/** Days of stations that are in memory at a time. */
const MAX_PROFILES = 20_000

/** A station with its speed limit, km/h. */
type LimitedLocation = Location & { speedLimit: number | null }

export type DistributionRequest = {
  locations: LimitedLocation[]
  /** What is read of all vehicles; of speeds, loads and headways of the scope; and of its vehicles by hour. */
  wholePlan: DistributionPlan
  plan: DistributionPlan
  hourPlan: DistributionPlan
  /** Why `plan` cannot be counted, unless it is refused. */
  notCounted: UncountedReason | null
  scope: DistributionScope
  /** Dates, the second exclusive. */
  range: readonly [string, string]
  /** The Warsaw day that is not over. */
  today: string
}

/** The date of a local midnight. */
const dateOfMidnight = (day: number): string => new Date(day).toISOString().slice(0, 10)

const dateAfter = (date: string, days: number): string => dateOfMidnight(Date.parse(date) + days * DAY_MS)

/** An empty list in a query means no filter. */
const nonEmpty = <T>(list: readonly T[] | undefined): readonly T[] | null => (list?.length ? list : null)

/**
 * Which figures a request with a filter by hour of the day needs, as no roll-up of speeds, loads and headways has hours: all,
 * only the numbers of vehicles, or `known`: those that roll-ups have, if the others cannot be counted.
 */
export type HourFigures = 'all' | 'vehicles' | 'known'

/**
 * The stations of a request, and from what each of their days is read.
 * @throws Refusal if the range is reversed or too long, a location is unknown, today has too many vehicles, a filter needs
 * vehicles that are deleted or too many, or 503 while too many days are derived
 */
export async function planRequest(
  db: Database,
  filters: Pick<DistributionFilters, 'from' | 'until' | 'locations'> & Partial<DistributionFilters>,
  now: Date,
  hourFigures: HourFigures = 'all',
): Promise<DistributionRequest> {
  const { from, until, laneNumbers, ctg8p1 } = filters
  if (until < from) throw new Refusal('start-after-end', 422, 'from')
  const to = dateAfter(until, 1)
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS
  if (days > MAX_DISTRIBUTION_DAYS) throw new Refusal('too-many-periods', 422, 'until')
  const limits = await speedLimits(db)
  const byId = new Map((await allLocations(db)).map((location) => [location.id, location]))
  const locations = [...new Set(filters.locations)].map((id) => {
    const location = byId.get(id)
    if (!location) throw new Refusal('location-not-found', 404, 'locations')
    return { ...location, speedLimit: limits.get(id) ?? null }
  })
  const scope = {
    lanes: nonEmpty(laneNumbers)?.filter((lane) => lane >= 1 && lane <= 99) ?? null,
    categories: categoriesIn(ctg8p1),
    hours: nonEmpty(filters.hours),
    weekdays: nonEmpty(filters.weekdays),
    costClasses: nonEmpty(filters.ctg323),
    nationalities: nonEmpty(filters.nationalities),
  }
  const ids = locations.map(({ id }) => id)
  const marks = await marksOf(db, ids, from, to)
  assertFewDays(marks)
  const deleted = marks.length > 0 ? await deletedDays(db, marks) : []
  const planOf = (weekdays: readonly number[] | null) => planDistributions(ids, from, to, marks, deleted, weekdays)
  const wholePlan = planOf(null)
  await assertCountable(db, wholePlan.dirty, dateOf(now))
  const request = { locations, wholePlan, scope, range: [from, to], today: dateOf(now) } as const
  const counted = { months: [], days: [], dirty: stationDays(ids, from, to, scope.weekdays), kept: [] }
  const isCounted = hasClassOrCountry(scope) || (scope.hours !== null && hourFigures !== 'vehicles')
  const notCounted = isCounted ? await uncountedReason(db, request, counted.dirty) : null
  if (notCounted && (hasClassOrCountry(scope) || hourFigures === 'all')) throw new Refusal(notCounted, 422, 'from')
  return {
    ...request,
    notCounted,
    plan: scope.hours || hasClassOrCountry(scope) ? counted : scope.weekdays ? planOf(scope.weekdays) : wholePlan,
    hourPlan: hasClassOrCountry(scope) ? counted : wholePlan,
  }
}

/** Why vehicles of a scope are not counted one by one: some are deleted, or they are too many. */
async function uncountedReason(
  db: Database,
  {
    locations,
    wholePlan,
    scope,
    range: [from, to],
  }: Pick<DistributionRequest, 'locations' | 'wholePlan' | 'scope' | 'range'>,
  days: readonly StationDay[],
): Promise<UncountedReason | null> {
  const ids = locations.map(({ id }) => id)
  const midnight = (date: string) => new Date(fromWarsaw(Date.parse(date)))
  if (await hasDeletedVehicles(db, ids, midnight(from), midnight(to))) return 'vehicles-deleted'
  const hours = await weekdayHours(db, wholePlan, { ...scope, costClasses: null, nationalities: null })
  const vehicles = hours.reduce((sum, row) => sum + row.hours.reduce((all, count) => all + count, 0), 0)
  const isTooMany = vehicles > MAX_COUNTED_VEHICLES || new Set(days.map(({ day }) => day)).size > MAX_COUNTED_DAYS
  return isTooMany ? 'too-many-vehicles-to-count' : null
}

/** Refuses what has too many days that are not derived yet: after an upgrade. */
function assertFewDays(marks: readonly StationDay[]): void {
  if (marks.length > MAX_DIRTY_DAYS) throw new Refusal('figures-not-derived', 503, null, RETRY_SECONDS)
}

/**
 * Refuses what has too many vehicles that are not derived yet: while many late vehicles arrive, or of many stations today,
 * which is derived when it is over.
 */
async function assertCountable(db: Database, dirty: readonly StationDay[], today: string): Promise<void> {
  if (dirty.length === 0 || (await dirtyVehicleCount(db, dirty)) <= MAX_DIRTY_VEHICLES) return
  const earlier = dirty.filter(({ day }) => day < today)
  if (earlier.length < dirty.length && (await dirtyVehicleCount(db, earlier)) <= MAX_DIRTY_VEHICLES)
    throw new Refusal('too-many-vehicles-today', 422, 'until')
  throw new Refusal('figures-not-derived', 503, null, RETRY_SECONDS)
}

/** Stored category: 0 for not classified. */
const storedCategory = (category: Category): number => (category === 'lack' ? 0 : Number(category))
/** Stored categories of a filter; null: all. */
export const categoriesIn = (filter: readonly Category[] | undefined): number[] | null =>
  filter?.length ? filter.map(storedCategory) : null
export const categoryOf = (stored: number): Category => (stored === 0 ? 'lack' : String(stored)) as Category

/** Rounds to a number of decimals; null stays. */
export const rounded = (value: number | null, decimals: number): number | null =>
  value === null ? null : Math.round(value * 10 ** decimals) / 10 ** decimals

/** A share with four decimals; null of nothing. */
export const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : rounded(part / whole, 4))

/** Bins of one station as counts from bin 0. */
export function histogramOf(cells: readonly { bin: number; n: number }[]): number[] {
  const counts: number[] = Array.from({ length: Math.max(-1, ...cells.map(({ bin }) => bin)) + 1 }, () => 0)
  for (const { bin, n } of cells) counts[bin] = (counts[bin] ?? 0) + n
  return counts
}

/** Speeds of one station. */
export function speedsOf(cells: readonly { bin: number; n: number }[]): SpeedCounts & { counts: number[] } {
  const counts = histogramOf(cells)
  const first = Math.max(
    0,
    counts.findIndex((count) => count > 0),
  )
  return { first, counts: counts.slice(first) }
}

/** Groups rows by station. */
export const byLocation = <Row extends { locationId: number }>(rows: readonly Row[]) => {
  const groups = Map.groupBy(rows, ({ locationId }) => locationId)
  return (id: number): Row[] => groups.get(id) ?? []
}

/** Equivalent axles of sums of loads; shares are of vehicles whose overload was judged. */
export function equivalentsOf(loads: readonly LoadSum[]) {
  const total = (rows: readonly LoadSum[], sum: 'load4' | 'judged4' | 'avoidable4') =>
    rows.reduce((all, row) => all + BigInt(row[sum]), 0n)
  const all = total(loads, 'load4')
  const judged = total(loads, 'judged4')
  const ofJudged = (part: bigint) => shareOf(Number(part), Number(judged))
  return {
    n100: equivalentAxles(all, 'n100'),
    n115: equivalentAxles(all, 'n115'),
    overloadedShare: ofJudged(
      total(
        loads.filter(({ overloaded }) => overloaded),
        'judged4',
      ),
    ),
    avoidableShare: ofJudged(total(loads, 'avoidable4')),
  }
}

/** Overloaded vehicles of rows of loads, out of those that were judged. */
export const overloadedOf = (loads: readonly LoadSum[]): number =>
  sumOf(
    loads.filter(({ overloaded }) => overloaded),
    'judged',
  )

/** Counts of loads by category. */
const categoriesOf = (loads: readonly (LoadSum & { ctg8p1: number })[]) =>
  [...Map.groupBy(loads, ({ ctg8p1 }) => ctg8p1)].map(([ctg8p1, rows]) => ({
    category: categoryOf(ctg8p1),
    vehicles: sumOf(rows, 'vehicles'),
    weighed: sumOf(rows, 'weighed'),
    judged: sumOf(rows, 'judged'),
    overloaded: overloadedOf(rows),
  }))

export const sumOf = <Column extends string>(rows: readonly Record<Column, number>[], column: Column): number =>
  rows.reduce((sum, row) => sum + row[column], 0)

const DAYPART_COLUMNS = { day: 'inDay', evening: 'inEvening', night: 'inNight' } as const

/**
 * The averages of a station's days from `from` on, of which some are `complete`. Today is no day of them, as it
 * is not over, but its vehicles are counted. With `scoped`, figures are of these vehicles, and days those of `ofLanes`, on
 * which the lanes had vehicles.
 */
function averages(
  profiles: readonly ProfileDay[],
  complete: ReadonlySet<number>,
  { from, today }: { from: number; today: number },
  scoped?: { vehicles: readonly ProfileDay[]; ofLanes: readonly ProfileDay[] },
) {
  const inRange = scoped ? scopedDays(scoped) : profiles.filter(({ day }) => day >= from)
  const finished = inRange.filter(({ day }) => day < today)
  const chosen = finished.filter(({ day }) => complete.has(day))
  const adtOf = (rows: readonly ProfileDay[], vehicles: (row: ProfileDay) => number) =>
    rounded(averageDailyTraffic(rows.map((row) => ({ vehicles: vehicles(row) }))), 1)
  const annual = annualTraffic(chosen)
  const ofDaypart = (daypart: Daypart) => (row: ProfileDay) => row[DAYPART_COLUMNS[daypart]]
  const isMidweek = ({ day }: ProfileDay) => [1, 2, 3].includes(weekdayOf(day))
  const meanOf = (row: { mean: number }) => ({ mean: rounded(row.mean, 1) ?? 0 })
  return {
    days: finished.length,
    unfinishedDays: inRange.length - finished.length,
    completeDays: chosen.length,
    adt: adtOf(chosen, ({ vehicles }) => vehicles),
    adtOfDayparts: Object.fromEntries(dayparts.map((part) => [part, adtOf(chosen, ofDaypart(part))])) as Record<
      Daypart,
      number | null
    >,
    adtTuesdayToThursday: adtOf(chosen.filter(isMidweek), ({ vehicles }) => vehicles),
    adtHeavy: adtOf(chosen, ({ heavyVehicles }) => heavyVehicles),
    aadt: rounded(annual.aadt, 1),
    months: annual.months,
    monthFactors: annual.monthFactors.map(({ month, ...row }) => ({
      month: new Date(month).toISOString().slice(0, 10),
      ...meanOf(row),
      factor: rounded(row.factor, 4),
    })),
    weekdayFactors: annual.weekdayFactors.map(({ weekday, ...row }) => ({
      weekday,
      ...meanOf(row),
      factor: rounded(row.factor, 4),
    })),
    vehicles: sumOf(inRange, 'vehicles'),
    heavyVehicles: sumOf(inRange, 'heavyVehicles'),
  }
}

/** The days of some lanes, with the vehicles of a scope on them, maybe none. */
function scopedDays({ vehicles, ofLanes }: { vehicles: readonly ProfileDay[]; ofLanes: readonly ProfileDay[] }) {
  const byDay = new Map(vehicles.map((profile) => [profile.day, profile]))
  const none = { vehicles: 0, heavyVehicles: 0, inDay: 0, inEvening: 0, inNight: 0 }
  return ofLanes.map((profile) => byDay.get(profile.day) ?? { ...profile, ...none })
}

/**
 * Calls `work` for a few stations at a time, as each has a row for each day in memory. `read` returns their days from a first
 * one on, by station; `before` is the first day that tells whether one of the range is complete.
 */
async function forEachProfileBatch(
  db: Database,
  request: DistributionRequest,
  work: (
    ids: readonly number[],
    before: string,
    read: (first: string, scope: DistributionScope) => Promise<(id: number) => ProfileDay[]>,
  ) => Promise<void>,
): Promise<void> {
  const { locations, wholePlan, hourPlan, scope } = request
  const [from, to] = request.range
  const ids = locations.map(({ id }) => id)
  const before = dateAfter(from, -7 * WEEKS_BEFORE)
  const dirty = [...wholePlan.dirty, ...wholePlan.kept, ...(await marksOf(db, ids, before, from))]
  const counted = hasClassOrCountry(scope) ? hourPlan.dirty : dirty
  assertFewDays(dirty)
  const days = (Date.parse(to) - Date.parse(before)) / DAY_MS
  const step = Math.max(1, Math.floor(MAX_PROFILES / days))
  for (let at = 0; at < ids.length; at += step) {
    const some = ids.slice(at, at + step)
    await work(some, before, async (first, scope) => {
      const isIncluded = ({ locationId, day }: StationDay) => day >= first && some.includes(locationId)
      const ofRange = (hasClassOrCountry(scope) ? counted : dirty).filter(isIncluded)
      return byLocation(await profileDays(db, { dirty: ofRange, locations: some, range: [first, to] }, scope))
    })
  }
}

/** The averages of stations by id, and their complete days. */
async function averagesOf(db: Database, request: DistributionRequest) {
  const { scope } = request
  const [from] = request.range
  const bounds = { from: Date.parse(from), today: Date.parse(request.today) }
  const found = new Map<number, ReturnType<typeof averages>>()
  const complete = new Map<number, ReadonlySet<number>>()
  await forEachProfileBatch(db, request, async (ids, before, read) => {
    const profiles = await read(before, WHOLE)
    const isScoped = Object.values(scope).some((list) => list !== null)
    const { lanes, weekdays } = scope
    const vehicles = isScoped ? await read(from, scope) : null
    const ofLanes = isScoped ? await read(from, { ...WHOLE, lanes, weekdays }) : null
    for (const id of ids) {
      const scoped = vehicles && ofLanes ? { vehicles: vehicles(id), ofLanes: ofLanes(id) } : undefined
      const completeOf = completeDatesOf(profiles(id))
      complete.set(id, completeOf)
      found.set(id, averages(profiles(id), completeOf, bounds, scoped))
    }
  })
  return {
    averagesOfStation: (id: number) => found.get(id) ?? averages([], new Set(), bounds),
    complete,
  }
}

/** The complete days of stations by id, some of them before the range. */
export async function completeDaysOf(db: Database, request: DistributionRequest) {
  const complete = new Map<number, ReadonlySet<number>>()
  await forEachProfileBatch(db, request, async (ids, before, read) => {
    const profiles = await read(before, WHOLE)
    for (const id of ids) complete.set(id, completeDatesOf(profiles(id)))
  })
  return complete
}

/** The complete days of a station among these. */
const completeDatesOf = (profiles: readonly ProfileDay[]): ReadonlySet<number> =>
  new Set(completeDays(profiles).map(({ day }) => day))

/** All vehicles. */
const WHOLE: DistributionScope = {
  lanes: null,
  categories: null,
  weekdays: null,
  hours: null,
  costClasses: null,
  nationalities: null,
}

/** Finished, complete days on which the lanes weighed, by station. */
async function weighedCompleteDays(
  db: Database,
  { locations, wholePlan, scope, range, today }: DistributionRequest,
  complete: ReadonlyMap<number, ReadonlySet<number>>,
): Promise<Map<number, Set<string>>> {
  const ids = locations.map(({ id }) => id)
  const found = await weighedDays(db, { dirty: wholePlan.dirty, locations: ids, range }, scope)
  const weighed = new Map(found.map(({ locationId, days }) => [locationId, new Set(days.map((day) => day * DAY_MS))]))
  const dirty = new Set(wholePlan.dirty.map(({ locationId, day }) => `${locationId} ${day}`))
  const [from, to] = range.map((date) => Date.parse(date)) as [number, number]
  const end = Math.min(to, Date.parse(today))
  const isAsked = (day: number) => day >= from && day < end && (scope.weekdays?.includes(weekdayOf(day)) ?? true)
  const doubtful: StationDay[] = []
  const days = new Map<number, Set<string>>()
  for (const locationId of ids) {
    const counted = new Set<string>()
    for (const midnight of complete.get(locationId) ?? []) {
      if (!isAsked(midnight)) continue
      const day = dateOfMidnight(midnight)
      if (weighed.get(locationId)?.has(midnight)) counted.add(day)
      else if (!scope.lanes && !dirty.has(`${locationId} ${day}`)) doubtful.push({ locationId, day })
    }
    days.set(locationId, counted)
  }
  const possible = await inWeighedMonths(db, wholePlan, doubtful)
  for (const { locationId, day } of possible.length > 0 ? await findWeighedDays(db, possible) : [])
    days.get(locationId)?.add(day)
  return days
}

/**
 * Those of some days that are not in a whole month without weighing: a station that never weighs has hundreds of days, with
 * rows for each lane and category.
 */
async function inWeighedMonths(db: Database, plan: DistributionPlan, days: readonly StationDay[]) {
  const monthOf = ({ locationId, day }: StationDay) => `${locationId} ${day.slice(0, 7)}`
  const asked = new Set(days.map(monthOf))
  const whole = plan.months.filter((month) => asked.has(monthOf(month)))
  const weighed = new Set((whole.length > 0 ? await findWeighedMonths(db, whole) : []).map(monthOf))
  const unweighed = new Set(whole.map(monthOf)).difference(weighed)
  return days.filter((day) => !unweighed.has(monthOf(day)))
}

/**
 * Axles of 100 kN per day by station: of complete days that are over and on which the lanes weighed, since a day without
 * weighing, or with gaps, has too few.
 */
export async function dailyEquivalents(
  db: Database,
  request: DistributionRequest,
  complete: ReadonlyMap<number, ReadonlySet<number>>,
) {
  const { locations, plan, scope, range } = request
  const counted = await weighedCompleteDays(db, request, complete)
  const asked = stationDays([0], ...range, scope.weekdays).map(({ day }) => day)
  const countOf = (id: number) => counted.get(id)?.size ?? 0
  // The other days are subtracted where they are fewer than those that count, which sums of months may have.
  const isSubtracted = (id: number) => 2 * countOf(id) > asked.length
  const read = locations.flatMap(({ id }) =>
    countOf(id) === 0
      ? []
      : asked.flatMap((day) => (counted.get(id)?.has(day) === isSubtracted(id) ? [] : { locationId: id, day })),
  )
  const ofRead = byLocation(read.length > 0 ? await fourthPowers(db, daysOfPlan(plan, read), scope) : [])
  return (id: number, loads: readonly LoadSum[]) => {
    const days = countOf(id)
    if (days === 0) return { days, n100PerDay: null }
    const sum = (rows: readonly Pick<LoadSum, 'load4'>[]) => rows.reduce((all, { load4 }) => all + BigInt(load4), 0n)
    const ofCounted = isSubtracted(id) ? sum(loads) - sum(ofRead(id)) : sum(ofRead(id))
    return { days, n100PerDay: equivalentAxles(ofCounted, 'n100') / days }
  }
}

/** The figures of each station; call it in a snapshot. */
export async function summarise(db: Database, request: DistributionRequest) {
  const { locations, notCounted } = request
  const { averagesOfStation, complete } = await averagesOf(db, request)
  const countedOf = notCounted ? () => NOTHING_COUNTED : await countedFigures(db, request, complete)
  return locations.map((location) => ({
    location,
    ...averagesOfStation(location.id),
    notCounted,
    ...countedOf(location.id),
    speedLimit: location.speedLimit,
  }))
}

const NOTHING_COUNTED = {
  categories: [],
  overloadedShare: null,
  meanSpeed: null,
  v85: null,
  meanHeadway: null,
  equivalents: null,
  n100PerDay: null,
}

/** The speeds, loads and headways of a station. */
async function countedFigures(
  db: Database,
  request: DistributionRequest,
  complete: ReadonlyMap<number, ReadonlySet<number>>,
) {
  const { plan, scope } = request
  const speeds = byLocation(await speedCells(db, plan, scope, null))
  const headways = byLocation(await headwaySums(db, plan, scope))
  const loads = byLocation(await loadsByCategory(db, plan, scope))
  const daily = await dailyEquivalents(db, request, complete)
  return (id: number) => {
    const speed = speedsOf(speeds(id))
    const sums = loads(id)
    const isShared = ({ ctg8p1 }: { ctg8p1: number }) => scope.categories !== null || HEAVY_CATEGORIES.includes(ctg8p1)
    const shared = sums.filter(isShared)
    return {
      categories: categoriesOf(sums),
      overloadedShare: shareOf(overloadedOf(shared), sumOf(shared, 'judged')),
      meanSpeed: meanSpeed(speed),
      v85: v85(speed),
      meanHeadway: meanHeadway(headways(id)[0]),
      equivalents: equivalentsOf(sums),
      n100PerDay: daily(id, sums).n100PerDay,
    }
  }
}

/** Mean of headways in s, two decimals; null without headways. */
export const meanHeadway = (
  { headways, sum }: Omit<HeadwaySum, 'locationId'> = { headways: 0, sum: 0 },
): number | null => (headways === 0 ? null : rounded(sum / headways / 1000, 2))
