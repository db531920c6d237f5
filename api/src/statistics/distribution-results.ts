import { SECOND_MS } from '@rogatka/domain/core/time.ts'
import { fromWarsaw } from '@rogatka/domain/core/warsaw.ts'
import { dayparts } from '@rogatka/domain/statistics/dayparts.ts'
import { HEADWAY_BINS, headwayEdge, headwaysBelow } from '@rogatka/domain/statistics/headways.ts'
import { binWidth, GROSS_BIN_KG, spectrumKinds } from '@rogatka/domain/statistics/loadSpectra.ts'
import { meanSpeed, v85 } from '@rogatka/domain/statistics/speedDistribution.ts'
import type { Database } from '../core/database.ts'
import {
  axleCells,
  grossCells,
  headwayCells,
  loadsByCategory,
  loadsByMonth,
  measuredHours,
  type SpeedExcessCell,
  speedCells,
  type WeekdayHours,
  weekdayHours,
} from './distribution-read-queries.ts'
import {
  byLocation,
  completeDaysOf,
  type DistributionRequest,
  dailyEquivalents,
  equivalentsOf,
  histogramOf,
  meanHeadway,
  overloadedOf,
  rounded,
  shareOf,
  speedsOf,
  sumOf,
} from './distributions.ts'
import { trafficCells } from './queries.ts'

const KG_IN_TONNE = 1000
const DAYS_IN_WEEK = 7
const HOURS_IN_DAY = 24

/** Speeds of each station, of some parts of the day (numbers from 1) or of all. */
export async function speedsByStation(db: Database, request: DistributionRequest, selected: readonly number[] | null) {
  const cells = byLocation(await speedCells(db, request.plan, request.scope, selected))
  // Roll-ups of days and months also know days whose distributions are unknown, but no parts of the day.
  const isPartOfDay = selected !== null && selected.length < dayparts.length
  const excessOf = isPartOfDay ? (id: number) => excessIn(cells(id)) : await excessOfDays(db, request)
  return request.locations.map((location) => {
    const { speedLimit } = location
    const speeds = speedsOf(cells(location.id))
    const { measured, aboveLimit, aboveLimitBy10 } = excessOf(location.id)
    const unlessUnknown = (vehicles: number) => (speedLimit === null && vehicles === 0 ? null : vehicles)
    return {
      location,
      ...speeds,
      mean: meanSpeed(speeds),
      v85: v85(speeds),
      speedLimit,
      measured,
      aboveLimit: unlessUnknown(aboveLimit),
      aboveLimitBy10: unlessUnknown(aboveLimitBy10),
    }
  })
}

/**
 * Vehicles with a speed, and those above the limit that was theirs when they passed: heavy ones have another one, and limits
 * change.
 */
type Excess = { measured: number; aboveLimit: number; aboveLimitBy10: number }

const excessIn = (cells: readonly SpeedExcessCell[]): Excess => ({
  measured: sumOf(cells, 'n'),
  aboveLimit: sumOf(cells, 'aboveLimit'),
  aboveLimitBy10: sumOf(cells, 'aboveLimitBy10'),
})

/** The same of whole days by station, from the roll-ups by range of excess speed; the first range is up to 10 km/h. */
async function excessOfDays(db: Database, { locations, scope, range }: DistributionRequest) {
  const [start, end] = range.map((date) => new Date(fromWarsaw(Date.parse(date)))) as [Date, Date]
  const cells = byLocation(
    await trafficCells(db, {
      ...scope,
      statName: 'avgSpeed',
      groupBy: 'overSpeed',
      locations: locations.map(({ id }) => id),
      starts: [start],
      end,
      violations: 0,
    }),
  )
  return (id: number): Excess => {
    const aboveBy = (range: number) =>
      sumOf(
        cells(id).filter(({ key }) => key >= range),
        'vehicles',
      )
    return { measured: sumOf(cells(id), 'measured'), aboveLimit: aboveBy(1), aboveLimitBy10: aboveBy(2) }
  }
}

/** Headways of each station. */
export async function headwaysByStation(db: Database, { locations, plan, scope }: DistributionRequest) {
  const cells = byLocation(await headwayCells(db, plan, scope))
  return locations.map((location) => {
    const ofStation = cells(location.id)
    const bins = ofStation.flatMap(({ bin, ...cell }) => (bin === null ? [] : [{ ...cell, bin }]))
    const sum = sumOf(
      ofStation.filter(({ bin }) => bin === null),
      'n',
    )
    const counts = histogramOf(bins)
    const total = sumOf(bins, 'n')
    return {
      location,
      edges: Array.from({ length: HEADWAY_BINS }, (_, bin) => headwayEdge(bin) / SECOND_MS),
      counts,
      heavyCounts: histogramOf(bins.filter(({ heavy }) => heavy)),
      mean: meanHeadway({ headways: total, sum }),
      shareBelow1: shareOf(headwaysBelow(counts, SECOND_MS), total),
      shareBelow2: shareOf(headwaysBelow(counts, 2 * SECOND_MS), total),
    }
  })
}

/** Gross weights and axle load spectra of each station. */
export async function loadsByStation(db: Database, { locations, plan, scope }: DistributionRequest) {
  const loads = byLocation(await loadsByCategory(db, plan, scope))
  const gross = byLocation(await grossCells(db, plan, scope))
  const axles = byLocation(await axleCells(db, plan, scope))
  return locations.map((location) => {
    const sums = loads(location.id)
    const weighed = sumOf(sums, 'weighed')
    const spectrum = (kind: number, unit: number) =>
      histogramOf(axles(location.id).filter((cell) => cell.kind === kind + 1 && cell.unit === unit))
    return {
      location,
      vehicles: sumOf(sums, 'vehicles'),
      weighed,
      judged: sumOf(sums, 'judged'),
      overloaded: overloadedOf(sums),
      meanLoad: weighed === 0 ? null : rounded(sumOf(sums, 'loadSum') / weighed, 0),
      axles: sumOf(sums, 'axles'),
      gross: { width: GROSS_BIN_KG / KG_IN_TONNE, counts: histogramOf(gross(location.id)) },
      spectra: spectrumKinds.map((kind, index) => {
        const tonnes = spectrum(index, 1)
        return {
          kind,
          groups: tonnes.reduce((sum, count) => sum + count, 0),
          tonnes: { width: binWidth(kind, 't') / KG_IN_TONNE, counts: tonnes },
          kilonewtons: { width: binWidth(kind, 'kN'), counts: spectrum(index, 2) },
        }
      }),
    }
  })
}

/** Equivalent axles of each station by month. */
export async function equivalentsByStation(db: Database, request: DistributionRequest) {
  const { locations, plan, scope } = request
  const daily = await dailyEquivalents(db, request, await completeDaysOf(db, request))
  const loads = byLocation(await loadsByMonth(db, plan, scope))
  return locations.map((location) => {
    const sums = loads(location.id)
    const months = [...Map.groupBy(sums, ({ month }) => month)].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return {
      location,
      ...equivalentsOf(sums),
      ...daily(location.id, sums),
      months: months.map(([month, rows]) => ({
        month,
        weighed: sumOf(rows, 'weighed'),
        ...equivalentsOf(rows),
      })),
    }
  })
}

const WEEK = Array.from({ length: DAYS_IN_WEEK }, (_, weekday) => weekday)
const DAY_HOURS = Array.from({ length: HOURS_IN_DAY }, (_, hour) => hour)

/** The hours of each weekday; 0 where there is none. */
function weekOf(rows: readonly Pick<WeekdayHours, 'weekday' | 'hours'>[]): number[][] {
  const found = new Map(rows.map(({ weekday, hours }) => [weekday, hours]))
  return WEEK.map((weekday) => DAY_HOURS.map((hour) => found.get(weekday)?.[hour] ?? 0))
}

/** Vehicles of each station by weekday and hour, and their means over the hours that it measured; null for hours left out. */
export async function profileByStation(
  db: Database,
  { locations, wholePlan, hourPlan, scope, range, today }: DistributionRequest,
) {
  const rows = byLocation(await weekdayHours(db, hourPlan, scope))
  // Today is incomplete: it is left out of the means, unless it is the only day.
  const [from, to] = range[0] < today && today < range[1] ? [range[0], today] : range
  const ofToday = hourPlan.dirty.concat(hourPlan.days).filter(({ day }) => day >= to)
  const unfinished = byLocation(
    ofToday.length > 0 ? await weekdayHours(db, { months: [], days: [], kept: [], dirty: ofToday }, scope) : [],
  )
  const ids = locations.map(({ id }) => id)
  const dirty = [...wholePlan.dirty, ...wholePlan.kept]
  const measured = byLocation(await measuredHours(db, { dirty, locations: ids, range: [from, to] }, scope))
  const isCounted = (hour: number) => scope.hours?.includes(hour) ?? true
  return locations.map((location) => {
    const weekdays = weekOf(rows(location.id))
    const vehiclesToday = weekOf(unfinished(location.id))
    const hours = weekOf(measured(location.id))
    const total = (weeks: readonly (readonly number[])[], hour: number, some: readonly number[]) =>
      some.reduce((sum, weekday) => sum + (weeks[weekday]?.[hour] ?? 0), 0)
    const meanOf = (hour: number, some: readonly number[]) => {
      const counted = some.filter((weekday) => scope.weekdays?.includes(weekday) ?? true)
      const count = isCounted(hour) ? total(hours, hour, counted) : 0
      return count === 0
        ? null
        : rounded((total(weekdays, hour, counted) - total(vehiclesToday, hour, counted)) / count, 2)
    }
    return {
      location,
      weekdays,
      weekdayMeans: WEEK.map((weekday) => DAY_HOURS.map((hour) => meanOf(hour, [weekday]))),
      dailyMeans: DAY_HOURS.map((hour) => meanOf(hour, WEEK)),
    }
  })
}
