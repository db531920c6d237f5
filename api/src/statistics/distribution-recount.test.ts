import * as endpoints from '@rogatka/contract/statistics-distributions.ts'
import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import { raw } from '../core/statement.ts'
import { send } from '../ingest/testing.ts'
import { type TestApi, testApi } from '../testing/test-api.ts'
import { deriveDistributionDays, deriveTraffic } from './derive.ts'
import { verifyDistributions } from './distribution-verify.ts'
import { randomLorry, stationAt } from './testing.ts'
import { verifyDerived } from './verify.ts'

/* All traffic figures of 14 months against a count of single vehicles, by rules written down a second time. */

const NOW = new Date('2026-12-03T12:00:00Z')
const TODAY = '2026-12-03'
const STATIONS = [5, 6]
const HOUR_MS = 3_600_000
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

type Vehicle = {
  at: number
  day: string
  hour: number
  weekday: number
  lane: number
  category: number
  cost: number
  country: string
  speed: number | null
  load: number | null
  /** Tenths of a percent; null: not judged. */
  over: number | null
  axles: number[]
  /** First axle, number of axles, load. */
  groups: [number, number, number][]
  /** ms to the vehicle before in the lane */
  gap: number | null
}

const local = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Warsaw',
  ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23', weekday: 'short' },
})

/** All vehicles of a station by SQL alone. */
async function vehiclesOf(api: TestApi, location: number): Promise<Vehicle[]> {
  type Row = Omit<Vehicle, 'day' | 'hour' | 'weekday' | 'at' | 'gap' | 'groups'> & { at: Date; flat: number[] }
  const rows = await api.db.query<Row>(
    raw(`select v.created_at as at, v.lane_number as lane, v.ctg8p1 as category,
      coalesce(v.ctg323, 0) as cost, coalesce(v.nationality, '-') as country, v.speed, v.total_load as load,
      greatest(overload_sa, overload_ma, overload_tl) as over, coalesce(d.axle_groups, '{}') as flat,
      array(select d.axles[i + 1] + d.axles[i + 2] from generate_series(1, coalesce(array_length(d.axles, 1), 0), 6) i) as axles
      from vehicle v left join vehicle_detail d using (location_id, created_at, id)
      where v.location_id = ${location} order by v.created_at, v.id`),
  )
  const last = new Map<number, number>()
  return rows.map(({ at: time, flat, ...row }) => {
    const part = Object.fromEntries(local.formatToParts(time).map(({ type, value }) => [type, value]))
    const at = time.getTime()
    const before = last.get(row.lane)
    last.set(row.lane, at)
    const groups = Array.from(
      { length: flat.length / 5 },
      (_, i) => flat.slice(5 * i, 5 * i + 3) as [number, number, number],
    )
    return {
      ...row,
      at,
      groups,
      day: `${part.year}-${part.month}-${part.day}`,
      hour: Number(part.hour),
      weekday: WEEKDAYS.indexOf(part.weekday ?? ''),
      gap: before === undefined || at - before > 600_000 ? null : at - before,
    }
  })
}

const isJudged = ({ over }: Vehicle) => over !== null
const isOver = ({ over }: Vehicle) => over !== null && over > 0
const isHeavy = ({ category }: Vehicle) => [3, 5, 8, 9].includes(category)
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0)
const meanOf = (values: readonly number[]) => (values.length === 0 ? null : sum(values) / values.length)
const round = (value: number | null, decimals: number) =>
  value && Number(`${Math.round(Number(`${value}e${decimals}`))}e-${decimals}`)
const share = (part: number, whole: number) => (whole === 0 ? null : round(part / whole, 4))
const groupBy = <T, K>(rows: readonly T[], key: (row: T) => K) => [...Map.groupBy(rows, key)]

function histogram(bins: readonly number[]) {
  const counts: number[] = []
  for (const bin of bins) {
    while (counts.length <= bin) counts.push(0)
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  return counts
}

const wear = ({ load, axles }: Vehicle) => (load === null ? 0 : sum(axles.map((kg) => kg ** 4)))
const avoidable = (vehicle: Vehicle) => wear(vehicle) * (1 - 1 / (1 + (vehicle.over ?? 0) / 1000) ** 4)
/** Axles of 100 kN, of 0.00980665 kN per kg. */
const n100Of = (kg4: number) => kg4 * 0.0000980665 ** 4

/** `digits` significant ones. */
const about = (value: number, digits = 6) => expect.closeTo(value, digits - Math.ceil(Math.log10(value || 1)))

function equivalents(vehicles: readonly Vehicle[]) {
  const all = sum(vehicles.map(wear))
  const judged = sum(vehicles.filter(isJudged).map(wear))
  return {
    n100: about(n100Of(all)),
    n115: about(n100Of(all) / 1.15 ** 4),
    overloadedShare: share(sum(vehicles.filter(isOver).map(wear)), judged),
    avoidableShare: share(sum(vehicles.map(avoidable)), judged),
  }
}

const dayBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * 24 * HOUR_MS).toISOString().slice(0, 10)

/** The days of a station that are complete, with their vehicles. */
function completeDays(vehicles: readonly Vehicle[]) {
  const days = new Map(groupBy(vehicles, ({ day }) => day))
  const isCovered = (ofDay: readonly Vehicle[]) => {
    const hours = new Set(ofDay.map(({ hour }) => hour))
    return Array.from({ length: 18 }, (_, i) => i + 5).every((hour) => hours.has(hour))
  }
  return [...days].filter(([day, ofDay]) => {
    const known = [1, 2, 3, 4, 5, 6, 7, 8]
      .flatMap((week) => [days.get(dayBefore(day, 7 * week)) ?? []])
      .filter(isCovered)
      .map((one) => one.length)
      .sort((a, b) => a - b)
    const median = ((known[known.length >> 1] ?? 0) + (known[(known.length - 1) >> 1] ?? 0)) / 2
    return isCovered(ofDay) && (known.length < 3 || ofDay.length >= 0.3 * median)
  })
}

/** Days with these vehicles, without today. */
const daysOf = (vehicles: readonly Vehicle[]) =>
  new Set(vehicles.map(({ day }) => day).filter((day) => day !== TODAY)).size

/** Complete days of a station, without today, on which a vehicle of its lanes was weighed. */
function weighedDays(all: readonly Vehicle[], ofLanes: readonly Vehicle[]) {
  const weighed = new Set(ofLanes.filter(({ load }) => load !== null).map(({ day }) => day))
  return completeDays(all)
    .map(([day]) => day)
    .filter((day) => day !== TODAY && weighed.has(day))
}

/** Axles of 100 kN of vehicles on these days, per day. */
function perDayOf(days: readonly string[], vehicles: readonly Vehicle[]) {
  const found = vehicles.filter(({ day }) => days.includes(day))
  return days.length === 0 ? null : about(n100Of(sum(found.map(wear))) / days.length)
}

type Period = { from: string; until: string }

type IsCounted = (vehicle: Vehicle) => boolean
type Scope = Record<'isCounted' | 'isInTime' | 'isInLane', IsCounted> & { hasCategories: boolean }

/** `isCounted`: the vehicles; `isInTime`: of all categories; `isInLane`: those of their lanes and weekdays, whose days count. */
function expectedSummary(all: readonly Vehicle[], { from, until }: Period, scope: Scope) {
  const { isCounted, isInTime, isInLane, hasCategories } = scope
  const isInRange = ({ day }: Vehicle) => day >= from && day <= until
  const ofLanes = all.filter((vehicle) => isInRange(vehicle) && isInLane(vehicle))
  const vehicles = ofLanes.filter(isCounted)
  const complete = completeDays(all)
    .filter(([day]) => day !== TODAY && ofLanes.some((vehicle) => vehicle.day === day))
    .map(([day, ofDay]) => [day, ofDay.filter(isCounted), ofDay[0]?.weekday ?? 0] as const)
  const ofToday = ofLanes.filter(({ day }) => day === TODAY)
  const perDay = (rows: typeof complete, isCounted: (vehicle: Vehicle) => boolean = () => true) =>
    meanOf(rows.map(([, ofDay]) => ofDay.filter(isCounted).length))
  const weekdayOf = ([, , weekday]: (typeof complete)[number]) => weekday
  const monthOf = ([day]: (typeof complete)[number]) => `${day.slice(0, 7)}-01`
  const monthOfYear = ([day]: (typeof complete)[number]) => day.slice(5, 7)
  const hasAllWeekdays = (rows: typeof complete) => new Set(rows.map(weekdayOf)).size === 7
  const meanBy = (rows: typeof complete, key: (row: (typeof complete)[number]) => unknown) =>
    meanOf(groupBy(rows, key).map(([, some]) => perDay(some) ?? 0)) ?? 0
  const wholeMonths = groupBy(complete, monthOfYear).filter(([, rows]) => hasAllWeekdays(rows))
  const aadt = meanOf(wholeMonths.map(([, rows]) => meanBy(rows, weekdayOf)))
  const months = groupBy(complete, monthOf)
    .filter(([, rows]) => hasAllWeekdays(rows))
    .map(([month, rows]) => ({ month, mean: meanBy(rows, weekdayOf) }))
    .sort((a, b) => (a.month < b.month ? -1 : 1))
  const ofWeekdays = aadt === null ? complete : wholeMonths.flatMap(([, rows]) => rows)
  const weekdays = groupBy(ofWeekdays, weekdayOf)
    .map(([weekday, rows]) => ({ weekday, mean: aadt === null ? (perDay(rows) ?? 0) : meanBy(rows, monthOfYear) }))
    .sort((a, b) => a.weekday - b.weekday)
  const factor = <T extends { mean: number }>(row: T) => ({
    ...row,
    mean: round(row.mean, 1),
    factor: aadt === null || row.mean === 0 ? null : round(aadt / row.mean, 4),
  })
  const speeds = vehicles.flatMap(({ speed }) => speed ?? []).sort((a, b) => a - b)
  const heavy = vehicles.filter(isHeavy)
  const judged = (hasCategories ? vehicles : heavy).filter(isJudged)
  const gaps = ofLanes.filter(isInTime).flatMap(({ gap }) => gap ?? [])
  const isNight = ({ hour }: Vehicle) => hour < 6 || hour >= 22
  return {
    days: daysOf(ofLanes),
    unfinishedDays: ofToday.length > 0 ? 1 : 0,
    notCounted: null,
    completeDays: complete.length,
    adt: round(perDay(complete), 1),
    adtOfDayparts: {
      day: round(
        perDay(complete, ({ hour }) => hour >= 6 && hour < 18),
        1,
      ),
      evening: round(
        perDay(complete, ({ hour }) => hour >= 18 && hour < 22),
        1,
      ),
      night: round(perDay(complete, isNight), 1),
    },
    adtTuesdayToThursday: round(perDay(complete.filter((row) => [1, 2, 3].includes(weekdayOf(row)))), 1),
    adtHeavy: round(perDay(complete, isHeavy), 1),
    aadt: round(aadt, 1),
    months: wholeMonths.length,
    monthFactors: months.map(factor),
    weekdayFactors: weekdays.map(factor),
    vehicles: vehicles.length,
    heavyVehicles: heavy.length,
    categories: expect.toSatisfy((rows: { category: string }[]) => {
      const byCategory = groupBy(vehicles, ({ category }) => (category === 0 ? 'lack' : String(category)))
      const expected = byCategory.map(([category, some]) => ({
        category,
        vehicles: some.length,
        weighed: some.filter(({ load }) => load !== null).length,
        judged: some.filter(isJudged).length,
        overloaded: some.filter(isOver).length,
      }))
      const sorted = (list: { category: string }[]) =>
        JSON.stringify(list.toSorted((a, b) => (a.category < b.category ? -1 : 1)))
      return sorted(rows) === sorted(expected)
    }, 'vehicles by category'),
    overloadedShare: share(judged.filter(isOver).length, judged.length),
    meanSpeed: round(meanOf(speeds), 1),
    v85: speeds[Math.ceil(speeds.length * 0.85) - 1] ?? null,
    speedLimit: 100,
    meanHeadway: round((meanOf(gaps) ?? 0) / 1000, 2),
    equivalents: equivalents(vehicles),
    n100PerDay: perDayOf(weighedDays(all, ofLanes), vehicles),
  }
}

/** km/h; lorries, their combinations and buses have one of their own, also those that only their COST 323 class tells. */
const limitOf = (vehicle: Vehicle) =>
  isHeavy(vehicle) || (vehicle.category === 0 && vehicle.cost >= 2 && vehicle.cost <= 7) ? 80 : 100

function expectedSpeed(vehicles: readonly Vehicle[]) {
  const speeds = vehicles.flatMap(({ speed }) => speed ?? []).sort((a, b) => a - b)
  const [first = 0] = speeds
  return {
    first,
    counts: histogram(speeds.map((speed) => speed - first)),
    mean: round(meanOf(speeds), 1),
    v85: speeds[Math.ceil(speeds.length * 0.85) - 1] ?? null,
    speedLimit: 100,
    measured: speeds.length,
    aboveLimit: vehicles.filter((vehicle) => (vehicle.speed ?? 0) > limitOf(vehicle)).length,
    aboveLimitBy10: vehicles.filter((vehicle) => (vehicle.speed ?? 0) > limitOf(vehicle) + 10).length,
  }
}

function expectedHeadway(vehicles: readonly Vehicle[]) {
  const edges = [...Array.from({ length: 20 }, (_, i) => i / 2), 10, 15, 30, 60]
  const bins = (some: readonly Vehicle[]) =>
    histogram(some.flatMap(({ gap }) => (gap === null ? [] : edges.findLastIndex((edge) => edge * 1000 <= gap))))
  const gaps = vehicles.flatMap(({ gap }) => gap ?? [])
  return {
    edges,
    counts: bins(vehicles),
    heavyCounts: bins(vehicles.filter(isHeavy)),
    mean: round((meanOf(gaps) ?? 0) / 1000, 2),
    shareBelow1: share(gaps.filter((gap) => gap < 1000).length, gaps.length),
    shareBelow2: share(gaps.filter((gap) => gap < 2000).length, gaps.length),
  }
}

/** Kinds of groups with the widths of their bins, t and kN. */
const KINDS = { first: [0.5, 5], single: [0.5, 5], tandem: [1, 10], tridem: [1.5, 15], wider: [1.5, 15] } as const

function expectedLoads(vehicles: readonly Vehicle[]) {
  const weighed = vehicles.filter(({ load }) => load !== null)
  const loads = weighed.map(({ load }) => load ?? 0)
  const groups = weighed.flatMap((vehicle) => vehicle.groups)
  const kindOf = ([first, axles]: readonly number[]) =>
    axles === 1 ? (first === 1 ? 'first' : 'single') : axles === 2 ? 'tandem' : axles === 3 ? 'tridem' : 'wider'
  return {
    // Of Polish law.
    limits: { gross: 40_000, drivingAxle: 11_500, otherAxle: 10_000 },
    overloadBasis: 'minimum',
    vehicles: vehicles.length,
    weighed: weighed.length,
    judged: vehicles.filter(isJudged).length,
    overloaded: vehicles.filter(isOver).length,
    meanLoad: round(meanOf(loads), 0),
    axles: sum(weighed.map(({ axles }) => axles.length)),
    gross: { width: 1, counts: histogram(loads.map((kg) => Math.min(59, Math.floor(kg / 1000)))) },
    spectra: Object.entries(KINDS).map(([kind, [tonnes, kilonewtons]]) => {
      const ofKind = groups.filter((group) => kindOf(group) === kind).map(([, , kg]) => kg)
      // Edges in kg, rounded up.
      const edges = Array.from({ length: 60 }, (_, bin) => Math.ceil((bin * kilonewtons) / 0.00980665))
      return {
        kind,
        groups: ofKind.length,
        tonnes: {
          width: tonnes,
          counts: histogram(ofKind.map((kg) => Math.min(59, Math.floor(kg / (1000 * tonnes))))),
        },
        kilonewtons: {
          width: kilonewtons,
          counts: histogram(ofKind.map((kg) => edges.findLastIndex((edge) => edge <= kg))),
        },
      }
    }),
  }
}

const expectedEquivalents = (vehicles: readonly Vehicle[], ofLanes: readonly Vehicle[], all: readonly Vehicle[]) => ({
  ...equivalents(vehicles),
  days: weighedDays(all, ofLanes).length,
  n100PerDay: perDayOf(weighedDays(all, ofLanes), vehicles),
  months: groupBy(vehicles, ({ day }) => `${day.slice(0, 7)}-01`).map(([month, some]) => ({
    month,
    weighed: some.filter(({ load }) => load !== null).length,
    ...equivalents(some),
  })),
})

const expectedProfile = (vehicles: readonly Vehicle[]) => ({
  weekdays: WEEKDAYS.map((_, weekday) =>
    Array.from({ length: 24 }, (_, hour) => vehicles.filter((v) => v.weekday === weekday && v.hour === hour).length),
  ),
})

const localHour = new Intl.DateTimeFormat('sv', {
  timeZone: 'Europe/Warsaw',
  dateStyle: 'short',
  timeStyle: 'short',
})

/** How often the clock shows this hour on a day: none or twice when clocks change. */
const timesOfHour = (day: string, hour: number) =>
  Array.from({ length: 28 }, (_, offset) => localHour.format(Date.parse(day) + (offset - 3) * HOUR_MS)).filter((text) =>
    text.startsWith(`${day} ${String(hour).padStart(2, '0')}`),
  ).length

/**
 * Means over the days on which the station, `all` of whose vehicles are given, measured that hour, and the lanes any vehicle;
 * without today.
 */
function expectedMeans(
  all: readonly Vehicle[],
  counted: readonly Vehicle[],
  { hours: selected, weekdays, lanes }: Filters = {},
) {
  const days = Map.groupBy(
    all.filter(({ day }) => day < TODAY),
    ({ day }) => day,
  )
  const meanOf = (hour: number, weekday: number | null) => {
    const measured = [...days].filter(
      ([, some]) =>
        (weekdays?.includes(some[0]?.weekday ?? 0) ?? true) &&
        (selected?.includes(hour) ?? true) &&
        (!lanes || some.some(({ lane }) => lanes.includes(lane))) &&
        (weekday === null || some[0]?.weekday === weekday) &&
        (hour < 5 || hour >= 23 || some.some((vehicle) => vehicle.hour === hour)),
    )
    const hours = measured.reduce((sum, [day]) => sum + timesOfHour(day, hour), 0)
    const found = counted.filter((v) => v.hour === hour && measured.some(([day]) => day === v.day)).length
    return hours === 0 ? null : Math.round((100 * found) / hours) / 100
  }
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  return {
    weekdayMeans: WEEKDAYS.map((_, weekday) => hours.map((hour) => meanOf(hour, weekday))),
    dailyMeans: hours.map((hour) => meanOf(hour, null)),
  }
}

/** Compares all figures of a period, also of one lane, and by category, part of the day, time, class and country. */
async function everyFigureIsRight(api: TestApi, period: Period, scopes = FILTERS) {
  const user = await api.as('Stat')
  const stations = await Promise.all(STATIONS.map((id) => vehiclesOf(api, id)))
  const query = { ...period, locations: STATIONS.join() }
  const figuresOf = async (response: Promise<{ status: number; body: { location: { id: number } }[] }>) => {
    const { status, body } = await response
    expect(status).toBe(200)
    return body.map(({ location, ...figures }) => figures)
  }
  const expected = (
    compute: (vehicles: Vehicle[], ofLanes: Vehicle[], all: Vehicle[]) => object,
    isCounted: IsCounted = () => true,
    isInLane: IsCounted = () => true,
  ) =>
    stations.map((all) => {
      const inPeriod = all.filter(({ day }) => day >= period.from && day <= period.until)
      return compute(inPeriod.filter(isCounted), inPeriod.filter(isInLane), all)
    })
  for (const filters of scopes) {
    const about = JSON.stringify(filters)
    const { isCounted, isInLane, isInTime } = predicatesOf(filters)
    const scope = { isCounted, isInTime, isInLane, hasCategories: filters.categories !== undefined }
    const { ctg8p1, ...others } = wireOf(filters)
    const ofAll = { query: { ...query, ...others } }
    const filtered = { query: { ...ofAll.query, ...(ctg8p1 && { ctg8p1 }) } }
    const answered = async (response: Parameters<typeof figuresOf>[0], rows: object[]) =>
      expect(await figuresOf(response), about).toEqual(rows)
    await answered(
      user.call(endpoints.summary, filtered),
      stations.map((all) => expectedSummary(all, period, scope)),
    )
    await answered(user.call(endpoints.speed, filtered), expected(expectedSpeed, isCounted))
    await answered(
      user.call(endpoints.speed, { query: { ...filtered.query, dayparts: 'evening,night' } }),
      expected(expectedSpeed, (vehicle) => isCounted(vehicle) && (vehicle.hour < 6 || vehicle.hour >= 18)),
    )
    await answered(user.call(endpoints.headway, ofAll), expected(expectedHeadway, isInTime))
    await answered(user.call(endpoints.loads, filtered), expected(expectedLoads, isCounted))
    await answered(user.call(endpoints.equivalentAxles, filtered), expected(expectedEquivalents, isCounted, isInLane))
    const inPeriod = stations.map((all) => all.filter(({ day }) => day >= period.from && day <= period.until))
    await answered(
      user.call(endpoints.profile, filtered),
      inPeriod.map((all) => {
        const counted = all.filter(isCounted)
        return { ...expectedProfile(counted), ...expectedMeans(all, counted, filters) }
      }),
    )
  }
}

type Filters = {
  lanes?: number[]
  categories?: number[]
  hours?: number[]
  weekdays?: number[]
  costs?: number[]
  countries?: string[]
}
const FILTERS: Filters[] = [
  {},
  { lanes: [2], categories: [3, 9, 0] },
  { weekdays: [2, 6] },
  { hours: [1, 2, 3, 17, 18, 22], weekdays: [0, 1, 3, 4, 5, 6] },
  { costs: [5, 0], countries: ['LT', '-'], lanes: [1], categories: [8, 9, 5, 7] },
]

const LANES = FILTERS.slice(0, 2)
const LANES_AND_WEEKDAYS = FILTERS.slice(0, 3)

const wireOf = ({ lanes, categories, hours, weekdays, costs, countries }: Filters) => ({
  ...(lanes && { laneNumbers: lanes.join() }),
  ...(categories && { ctg8p1: categories.map((category) => category || 'lack').join() }),
  ...(hours && { hours: hours.join() }),
  ...(weekdays && { weekdays: weekdays.join() }),
  ...(costs && { ctg323: costs.join() }),
  ...(countries && { nationalities: countries.join() }),
})

/** Vehicles of filters; of all categories; and those whose days count. */
function predicatesOf(filters: Filters) {
  const isAmong = <T>(list: readonly T[] | undefined, value: T) => list?.includes(value) ?? true
  const isInLane = ({ lane, weekday }: Vehicle) => isAmong(filters.lanes, lane) && isAmong(filters.weekdays, weekday)
  const isInTime = (vehicle: Vehicle) =>
    isInLane(vehicle) &&
    isAmong(filters.hours, vehicle.hour) &&
    isAmong(filters.costs, vehicle.cost) &&
    isAmong(filters.countries, vehicle.country)
  const isCounted = (vehicle: Vehicle) => isInTime(vehicle) && isAmong(filters.categories, vehicle.category)
  return { isInLane, isInTime, isCounted }
}

/** Sundays around the change of clocks in spring, of which one has so few vehicles that it is not complete. */
const SUNDAYS = Array.from({ length: 10 }, (_, week) => dayBefore('2026-02-22', -7 * week))
const THIN = '2026-04-19'
/** A day of each month; the last one is today. */
const MONTHLY = Array.from({ length: 14 }, (_, month) =>
  new Date(Date.UTC(2025, 9 + month, 14)).toISOString().slice(0, 10),
)

/** With those of each month a week in May, and one of October in two years: Thursday, Friday, then Saturday and Monday. */
const WEEKS = [
  ...Array.from({ length: 6 }, (_, day) => dayBefore('2026-05-13', day)),
  ...['2025-10-16', '2025-10-17', '2026-10-17', '2026-10-19'],
]

/** `count` vehicles of a UTC day with its hours before Warsaw's midnight, at least one in each hour. */
function vehiclesOn(random: Random, day: string, count: number, first: number, hours = [0, 25] as const) {
  const start = Date.parse(day) - 2 * HOUR_MS
  const [from, to] = hours
  return Array.from({ length: count }, (_, i) => {
    const hour = i < to - from ? from + i : from + random.below(to - from)
    return randomLorry(random, first + i, new Date(start + hour * HOUR_MS + random.below(HOUR_MS)))
  })
}

async function fill(api: TestApi) {
  const random = seededRandom(16)
  // In the second lane of the second station no overload is judged.
  const unjudged = { laneNumber: 2, accuracyClass: null }
  const [long, short] = await Promise.all(
    STATIONS.map((id) => {
      const station = stationAt(id, 2)
      return api.station(id === 6 ? { ...station, lanes: [...station.lanes.slice(0, 1), unjudged] } : station)
    }),
  )
  let sequence = 0
  const next = (count: number) => {
    sequence += count
    return sequence - count + 1
  }
  const of = (days: readonly string[], count: number, hours?: readonly [number, number]) =>
    days.flatMap((day) => vehiclesOn(random, day, count, next(count), hours as [0, 25]))
  const vehicles = [
    ...of(
      SUNDAYS.filter((day) => day !== THIN),
      75,
    ),
    // Covered in summer time: from 05 to 23 in Poland.
    ...of([THIN], 18, [5, 23]),
    ...of(['2025-10-26', '2026-10-25', ...MONTHLY, ...WEEKS], 26),
    ...of(['2026-01-07'], 5, [9, 14]),
  ]
  for (let at = 0; at < vehicles.length; at += 500) {
    const { body } = await send(long as never, vehicles.slice(at, at + 500))
    expect(body.rejected).toEqual([])
  }
  // Duplicates are counted once.
  await send(long as never, vehicles.slice(0, 50))
  // One after another around the end of a year, and both changes of clocks.
  for (const start of [
    '2025-12-31T22:30:00Z',
    '2026-03-28T23:30:00Z',
    '2026-10-24T22:30:00Z',
    '2026-12-03T08:00:00Z',
  ]) {
    let at = Date.parse(start)
    const close = Array.from({ length: 60 }, () => {
      at += Math.round(random.next() ** 4 * 500_000)
      return randomLorry(random, next(1), new Date(at))
    })
    await send(short as never, close)
  }
  return () =>
    send(long as never, [
      ...of(['2026-01-07'], 26),
      ...of(['2026-03-29', '2026-10-25'], 4, [1, 5]),
      randomLorry(random, next(1), new Date('2026-02-28T22:59:59.999Z')),
      randomLorry(random, next(1), new Date('2026-02-28T23:00:00.000Z')),
    ])
}

test('all figures of 14 months equal a recount: clock changes, late vehicles, duplicates, gaps', async () => {
  const api = await testApi()
  api.clock.now = NOW
  const sendLate = await fill(api)
  const derive = async () => {
    await deriveTraffic(api.db, NOW)
    await deriveDistributionDays(api.db)
  }
  const whole = { from: '2025-10-01', until: '2026-12-03' }
  await derive()
  await everyFigureIsRight(api, whole, LANES)
  // Parts of months at both ends
  await everyFigureIsRight(api, { from: '2025-10-20', until: '2026-10-25' }, LANES_AND_WEEKDAYS)

  await sendLate()
  await everyFigureIsRight(api, whole)
  await derive()
  await everyFigureIsRight(api, whole, LANES)
  const verified = await verifyDistributions(api.db)
  expect(verified.differences).toEqual([])
  expect(verified.days).toBeGreaterThan(35)
  expect((await verifyDerived(api.db)).differences).toEqual([])
})
