import { HEAVY_CATEGORIES } from '@rogatka/domain/statistics/dailyTraffic.ts'
import { LOAD_BINS } from '@rogatka/domain/statistics/loadSpectra.ts'
import type { Database } from '../core/database.ts'
import {
  equivalentsByStation,
  headwaysByStation,
  loadsByStation,
  profileByStation,
  speedsByStation,
} from './distribution-results.ts'
import { categoriesIn, categoryOf, type DistributionRequest, summarise } from './distributions.ts'
import type { statisticTexts } from './texts.ts'

export type FigureName = keyof ReturnType<typeof statisticTexts>['traffic']['figures']

/** A figure of a station, or one bin [from, to) of a distribution. */
export type Row = {
  location: DistributionRequest['locations'][number]
  figure: FigureName
  /** Month, category, or weekday from 1, Monday. */
  part: string | number | null
  /** Lanes and categories of the vehicles, separated by spaces; null: all. */
  lanes: string | null
  categories: string | null
  /** Null without bins; `to` also for a bin without upper bound. */
  from: number | null
  to: number | null
  /** Unit of the bins, null without any, and of the value. */
  binUnit: string | null
  unit: string
  value: number | null
}

const SPECTRA = {
  first: 'firstAxles',
  single: 'singleAxles',
  tandem: 'tandemAxles',
  tridem: 'tridemAxles',
  wider: 'widerAxles',
} as const satisfies Record<string, FigureName>

/** End of the last bin of headways, s. */
const LONGEST_HEADWAY = 600

/** Whether the part of a figure is a weekday. */
export const isWeekdayPart = (figure: FigureName): boolean =>
  figure === 'profile' || figure === 'weekdayHourlyMean' || figure === 'weekdayFactor'

/** Numbers in order, separated by spaces; null: all. */
const listOf = (numbers: readonly number[] | null, nameOf: (number: number) => string | number): string | null =>
  numbers
    ?.toSorted((a, b) => a - b)
    .map(nameOf)
    .join(' ') ?? null

type Scope = Pick<DistributionRequest['scope'], 'lanes' | 'categories'>
type Bin = { from: number; to: number | null; binUnit: string }
type RowWriter = (
  figure: FigureName,
  unit: string,
  value: number | null,
  more?: { part?: Row['part'] } & Partial<Bin>,
) => void

/** Rows of vehicles of a scope. */
class Rows {
  readonly all: Row[] = []

  /** Function that adds rows of a station; categories as they are stored, null: all. */
  of(location: Row['location'], { lanes, categories }: Scope): RowWriter {
    const vehicles = { lanes: listOf(lanes, (lane) => lane), categories: listOf(categories, categoryOf) }
    return (figure, unit, value, more = {}) => {
      const bin = { part: null, from: null, to: null, binUnit: null, ...more }
      this.all.push({ location, figure, ...vehicles, ...bin, unit, value })
    }
  }
}

/**
 * All figures of the stations of a request, and the bins of their distributions, of its lanes and categories; those of
 * loads and equivalent axles of `loadCategories`, null: of all. Headways are of all categories, since each is to the vehicle
 * before.
 */
export async function rowsOf(
  db: Database,
  request: DistributionRequest,
  loadCategories: readonly number[] | null,
): Promise<Row[]> {
  const rows = new Rows()
  const ofLoads = { ...request, scope: { ...request.scope, categories: loadCategories } }
  await addSummaries(db, rows, request)
  await addEquivalents(db, rows, ofLoads)
  await addTraffic(db, rows, request)
  await addLoads(db, rows, ofLoads)
  return rows.all
}

/** Figures of stations, by category too. */
async function addSummaries(db: Database, rows: Rows, request: DistributionRequest): Promise<void> {
  const { scope } = request
  const ofLanes = { ...scope, categories: null }
  const heavy = scope.categories?.filter((category) => HEAVY_CATEGORIES.includes(category)) ?? HEAVY_CATEGORIES
  for (const { location, ...summary } of await summarise(db, request)) {
    const [put, putLanes] = [rows.of(location, scope), rows.of(location, ofLanes)]
    const perDay = 'veh/d'
    putLanes('days', 'd', summary.days)
    putLanes('completeDays', 'd', summary.completeDays)
    put('adt', perDay, summary.adt)
    put('adtOfDay', perDay, summary.adtOfDayparts.day)
    put('adtOfEvening', perDay, summary.adtOfDayparts.evening)
    put('adtOfNight', perDay, summary.adtOfDayparts.night)
    put('adtTuesdayToThursday', perDay, summary.adtTuesdayToThursday)
    put('aadt', perDay, summary.aadt)
    putLanes('aadtMonths', 'month', summary.months)
    for (const { month, factor } of summary.monthFactors) put('monthFactor', '1', factor, { part: month.slice(0, 7) })
    for (const { weekday, factor } of summary.weekdayFactors) put('weekdayFactor', '1', factor, { part: weekday + 1 })
    put('vehicles', 'veh', summary.vehicles)
    if (heavy.length > 0) rows.of(location, { ...scope, categories: heavy })('adtHeavy', perDay, summary.adtHeavy)
    const shared = { ...scope, categories: scope.categories ?? HEAVY_CATEGORIES }
    rows.of(location, shared)('overloadedShare', '1', summary.overloadedShare)
    for (const { category, vehicles, weighed, judged, overloaded } of summary.categories) {
      const putCategory = rows.of(location, { ...scope, categories: categoriesIn([category]) })
      putCategory('categoryVehicles', 'veh', vehicles, { part: category })
      putCategory('categoryWeighed', 'veh', weighed, { part: category })
      putCategory('categoryJudged', 'veh', judged, { part: category })
      putCategory('categoryOverloaded', 'veh', overloaded, { part: category })
    }
    put('meanSpeed', 'km/h', summary.meanSpeed)
    put('v85', 'km/h', summary.v85)
    rows.of(location, { lanes: null, categories: null })('speedLimit', 'km/h', summary.speedLimit)
    putLanes('meanHeadway', 's', summary.meanHeadway)
  }
}

async function addEquivalents(db: Database, rows: Rows, request: DistributionRequest): Promise<void> {
  for (const { location, n100PerDay, months } of await equivalentsByStation(db, request)) {
    const put = rows.of(location, request.scope)
    put('n100PerDay', 'axles/d', n100PerDay)
    for (const { month, n100, n115, overloadedShare, avoidableShare } of months) {
      const part = month.slice(0, 7)
      put('n100', 'axles', n100, { part })
      put('n115', 'axles', n115, { part })
      put('wearByOverloaded', '1', overloadedShare, { part })
      put('wearAvoidable', '1', avoidableShare, { part })
    }
  }
}

/** Hours of weekdays, speeds and headways. */
async function addTraffic(db: Database, rows: Rows, request: DistributionRequest): Promise<void> {
  const { scope } = request
  for (const { location, weekdays, weekdayMeans, dailyMeans } of await profileByStation(db, request)) {
    const put = rows.of(location, scope)
    const putHours = (figure: FigureName, unit: string, hours: readonly (number | null)[], part: number | null) =>
      hours.forEach((value, hour) => {
        put(figure, unit, value, { part, from: hour, to: hour + 1, binUnit: 'h' })
      })
    weekdays.forEach((hours, weekday) => {
      putHours('profile', 'veh', hours, weekday + 1)
    })
    weekdayMeans.forEach((hours, weekday) => {
      putHours('weekdayHourlyMean', 'veh/h', hours, weekday + 1)
    })
    putHours('hourlyMean', 'veh/h', dailyMeans, null)
  }
  for (const { location, first, counts, ...speeds } of await speedsByStation(db, request, null)) {
    const put = rows.of(location, scope)
    put('measuredSpeeds', 'veh', speeds.measured)
    put('aboveLimit', 'veh', speeds.aboveLimit)
    put('aboveLimitBy10', 'veh', speeds.aboveLimitBy10)
    counts.forEach((vehicles, bin) => {
      const from = first + bin
      put('speed', 'veh', vehicles, { from, to: from + 1, binUnit: 'km/h' })
    })
  }
  for (const { location, edges, counts, heavyCounts, ...shares } of await headwaysByStation(db, request)) {
    const put = rows.of(location, { ...scope, categories: null })
    put('headwaysBelow1', '1', shares.shareBelow1)
    put('headwaysBelow2', '1', shares.shareBelow2)
    edges.forEach((from, bin) => {
      const range = { from, to: edges[bin + 1] ?? LONGEST_HEADWAY, binUnit: 's' }
      put('headway', 'veh', counts[bin] ?? 0, range)
      rows.of(location, { ...scope, categories: HEAVY_CATEGORIES })('headwayHeavy', 'veh', heavyCounts[bin] ?? 0, range)
    })
  }
}

/** Gross weights and axle load spectra. */
async function addLoads(db: Database, rows: Rows, request: DistributionRequest): Promise<void> {
  for (const { location, meanLoad, gross, spectra } of await loadsByStation(db, request)) {
    const put = rows.of(location, request.scope)
    put('meanLoad', 'kg', meanLoad)
    const bins = (figure: FigureName, unit: string, { width, counts }: typeof gross, binUnit: string) =>
      counts.forEach((count, bin) => {
        const to = bin === LOAD_BINS - 1 ? null : (bin + 1) * width
        put(figure, unit, count, { from: bin * width, to, binUnit })
      })
    bins('gross', 'veh', gross, 't')
    for (const { kind, tonnes, kilonewtons } of spectra) {
      bins(SPECTRA[kind], 'groups', tonnes, 't')
      bins(SPECTRA[kind], 'groups', kilonewtons, 'kN')
    }
  }
}
