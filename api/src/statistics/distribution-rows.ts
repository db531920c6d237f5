import type { Database } from '../core/database.ts'
import {
  equivalentsByStation,
  headwaysByStation,
  loadsByStation,
  profileByStation,
  speedsByStation,
} from './distribution-results.ts'
import { type DistributionRequest, summarise } from './distributions.ts'
import type { statisticTexts } from './texts.ts'

export type FigureName = keyof ReturnType<typeof statisticTexts>['traffic']['figures']

/** A figure of a station, or one bin of a distribution: [from, to) or, of speeds, the whole km/h `from`. */
export type Row = {
  location: DistributionRequest['locations'][number]
  figure: FigureName
  /** Month, category, or weekday from 1, Monday. */
  part: string | number | null
  from: number | null
  to: number | null
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
export const isWeekdayPart = (figure: FigureName): boolean => figure === 'profile' || figure === 'weekdayFactor'

/** All figures of the stations of a request, and the bins of their distributions. */
export async function rowsOf(db: Database, request: DistributionRequest): Promise<Row[]> {
  const rows: Row[] = []
  const add =
    (location: Row['location']) =>
    (figure: FigureName, unit: string, value: number | null, bin: Partial<Pick<Row, 'part' | 'from' | 'to'>> = {}) =>
      rows.push({ location, figure, part: null, from: null, to: null, unit, value, ...bin })

  // Averages are of whole stations.
  const whole = { ...request, scope: { lanes: null, categories: null } }
  for (const { location, ...summary } of await summarise(db, whole)) {
    const put = add(location)
    put('days', 'd', summary.days)
    put('completeDays', 'd', summary.completeDays)
    put('adt', 'veh/d', summary.adt)
    put('adtOfDay', 'veh', summary.adtOfDayparts.day)
    put('adtOfEvening', 'veh', summary.adtOfDayparts.evening)
    put('adtOfNight', 'veh', summary.adtOfDayparts.night)
    put('adtTuesdayToThursday', 'veh/d', summary.adtTuesdayToThursday)
    put('aadt', 'veh/d', summary.aadt)
    put('aadtMonths', 'month', summary.months)
    for (const { month, factor } of summary.monthFactors) put('monthFactor', '1', factor, { part: month.slice(0, 7) })
    for (const { weekday, factor } of summary.weekdayFactors) put('weekdayFactor', '1', factor, { part: weekday + 1 })
    put('vehicles', 'veh', summary.vehicles)
    put('adtHeavy', 'veh/d', summary.adtHeavy)
    put('overloadedShare', '1', summary.overloadedShare)
    for (const { category, vehicles, weighed, overloaded } of summary.categories) {
      put('categoryVehicles', 'veh', vehicles, { part: category })
      put('categoryWeighed', 'veh', weighed, { part: category })
      put('categoryOverloaded', 'veh', overloaded, { part: category })
    }
    put('meanSpeed', 'km/h', summary.meanSpeed)
    put('v85', 'km/h', summary.v85)
    put('speedLimit', 'km/h', summary.speedLimit)
    put('meanHeadway', 's', summary.meanHeadway)
    put('n100PerDay', 'axles/d', summary.n100PerDay)
  }
  for (const { location, months } of await equivalentsByStation(db, request)) {
    const put = add(location)
    for (const { month, n100, n115, overloadedShare, avoidableShare } of months) {
      const part = month.slice(0, 7)
      put('n100', 'axles', n100, { part })
      put('n115', 'axles', n115, { part })
      put('wearByOverloaded', '1', overloadedShare, { part })
      put('wearAvoidable', '1', avoidableShare, { part })
    }
  }
  for (const { location, weekdays } of await profileByStation(db, request))
    weekdays.forEach((hours, weekday) => {
      hours.forEach((vehicles, hour) => {
        add(location)('profile', 'h', vehicles, { part: weekday + 1, from: hour, to: hour + 1 })
      })
    })
  for (const { location, first, counts } of await speedsByStation(db, request, null))
    counts.forEach((vehicles, bin) => {
      add(location)('speed', 'km/h', vehicles, { from: first + bin, to: first + bin })
    })
  for (const { location, edges, counts, heavyCounts } of await headwaysByStation(db, request))
    edges.forEach((from, bin) => {
      const range = { from, to: edges[bin + 1] ?? LONGEST_HEADWAY }
      add(location)('headway', 's', counts[bin] ?? 0, range)
      add(location)('headwayHeavy', 's', heavyCounts[bin] ?? 0, range)
    })
  for (const { location, gross, spectra } of await loadsByStation(db, request)) {
    const put = add(location)
    const bins = (figure: FigureName, unit: string, { width, counts }: typeof gross) =>
      counts.forEach((count, bin) => {
        put(figure, unit, count, { from: bin * width, to: (bin + 1) * width })
      })
    bins('gross', 't', gross)
    for (const { kind, tonnes, kilonewtons } of spectra) {
      bins(SPECTRA[kind], 't', tonnes)
      bins(SPECTRA[kind], 'kN', kilonewtons)
    }
  }
  return rows
}
