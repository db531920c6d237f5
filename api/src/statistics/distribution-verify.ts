import { dateOf, fromWarsaw, warsawTime } from '@rogatka/domain/core/warsaw.ts'
import { HEAVY_CATEGORIES, weekdayOf } from '@rogatka/domain/statistics/dailyTraffic.ts'
import { daypartOf, dayparts } from '@rogatka/domain/statistics/dayparts.ts'
import { avoidableFourthPower, fourthPowerSum } from '@rogatka/domain/statistics/equivalentAxles.ts'
import { headwayBin } from '@rogatka/domain/statistics/headways.ts'
import { grossBin, loadBin, spectrumKind, spectrumKinds } from '@rogatka/domain/statistics/loadSpectra.ts'
import { overspeedRange } from '@rogatka/domain/statistics/ranges.ts'
import { unpackAxles, unpackGroups } from '@rogatka/domain/vehicle/pack.ts'
import { type Database, type Pool, SNAPSHOT } from '../core/database.ts'
import { type StationDay, storedDays } from './distribution-bin-queries.ts'
import {
  type CountedVehicle,
  type DistributionRow,
  dayRows,
  derivedDays,
  derivedMonths,
  hoursAround,
  monthRows,
  vehiclesAround,
} from './distribution-verify-queries.ts'

type Difference = { station: StationDay; side: 'stored' | 'recounted'; table: string; row: Record<string, unknown> }

/**
 * Recounts the distributions of days from their vehicles by the rules of the domain, hours and profiles from the hourly roll-up, and
 * months from the days, one snapshot per station and day or month. Of days of deleted vehicles only the hours are
 * recounted; dirty ones are skipped.
 */
export async function verifyDistributions(db: Pool): Promise<{ days: number; differences: Difference[] }> {
  const differences: Difference[] = []
  let days = 0
  for (const station of await derivedDays(db))
    await db.transaction(
      async (db) => {
        const ofHours = await dayRows(db, station, ['hour_day', 'profile_day'])
        differences.push(...compare(station, ofHours, await recountHours(db, station)))
        if ((await storedDays(db, [station])).length === 0) return
        days++
        const tables = ['speed', 'speed_total', 'load', 'axle', 'axle_total', 'headway'].map((name) => `${name}_day`)
        differences.push(...compare(station, await dayRows(db, station, tables), await recountDay(db, station)))
      },
      { mode: SNAPSHOT },
    )
  for (const station of await derivedMonths(db)) {
    const [stored, daily] = await db.transaction(
      async (db) => [await monthRows(db, station, 'month'), await monthRows(db, station, 'day')],
      { mode: SNAPSHOT },
    )
    differences.push(...compare(station, stored, sumRows(daily)))
  }
  return { days, differences }
}

/** Rows of which only one side has the same. */
function compare(station: StationDay, stored: readonly DistributionRow[], recounted: readonly DistributionRow[]) {
  const [a, b] = [keyed(stored), keyed(recounted)]
  const missing = (
    side: Difference['side'],
    rows: Map<string, DistributionRow>,
    others: Map<string, DistributionRow>,
  ) => [...rows].filter(([key]) => !others.has(key)).map(([, { table, row }]) => ({ station, side, table, row }))
  return [...missing('stored', a, b), ...missing('recounted', b, a)]
}

const keyed = (rows: readonly DistributionRow[]) => new Map(rows.map((row) => [textOf(row), row]))

/** All columns in one order; whole numbers may come as text. */
const textOf = ({ table, row }: DistributionRow) =>
  `${table} ${Object.keys(row)
    .sort()
    .map((column) => `${column}=${row[column]}`)
    .join(' ')}`

/** Columns of arrays, and of sums; all others are keys. */
const ARRAYS = ['hours', 'counts', 'gross', 't_counts', 'kn_counts']
const SUMS = [
  'vehicles',
  'above_limit',
  'above_limit_by_10',
  'heavy_vehicles',
  'weighed',
  'judged',
  'load_sum',
  'axles',
  'load4_sum',
  'judged_load4_sum',
  'avoidable4_sum',
  'groups',
  'headway_sum',
]

type Group = { table: string; keys: Record<string, unknown>; sums: Map<string, bigint>; bins: Map<string, number[]> }

/** Rows of distributions that grow by what is added. */
class Recount {
  readonly #groups = new Map<string, Group>()

  /** Adds counts to bins, given as pairs of column and [bin, count], and sums. */
  add(
    table: string,
    keys: Record<string, unknown>,
    bins: readonly (readonly [column: string, bin: number, count: number])[],
    sums: Record<string, number | bigint> = {},
  ): void {
    const key = JSON.stringify([table, keys])
    const group = this.#groups.get(key) ?? { table, keys, sums: new Map(), bins: new Map() }
    this.#groups.set(key, group)
    for (const [column, bin, count] of bins) {
      const counts = group.bins.get(column) ?? []
      group.bins.set(column, counts)
      while (counts.length <= bin) counts.push(0)
      counts[bin] = (counts[bin] ?? 0) + count
    }
    for (const [column, sum] of Object.entries(sums))
      group.sums.set(column, (group.sums.get(column) ?? 0n) + BigInt(sum))
  }

  get rows(): DistributionRow[] {
    return [...this.#groups.values()].map(({ table, keys, sums, bins }) => {
      const row: Record<string, unknown> = { ...keys }
      // As text: JSON has no whole numbers of this size.
      for (const [column, sum] of sums) row[column] = String(sum)
      for (const [column, counts] of bins) row[column] = counts
      if (table.startsWith('load')) Object.assign(row, { gross: [], judged: null, judged_load4_sum: null, ...row })
      if (table.startsWith('profile') || table.startsWith('hour'))
        row.hours = Array.from({ length: 24 }, (_, hour) => bins.get('hours')?.[hour] ?? 0)
      if (table.startsWith('speed')) {
        const counts = bins.get('counts') ?? []
        const first = counts.findIndex((count) => count > 0)
        Object.assign(row, { first, counts: counts.slice(first) })
      }
      return { table, row }
    })
  }
}

/** The hours of a day by the hourly roll-up. */
async function recountHours(db: Database, station: StationDay): Promise<DistributionRow[]> {
  const recount = new Recount()
  const weekday = weekdayOf(Date.parse(station.day))
  const hours = await hoursAround(db, station)
  for (const { at, laneNumber, ctg8p1, vehicles } of hours.filter(({ at }) => dateOf(new Date(at)) === station.day)) {
    const keys = { lane_number: laneNumber, ctg8p1, weekday }
    const bin = ['hours', warsawTime(at).hour, vehicles] as const
    recount.add('hour_day', keys, [bin])
    const heavy = HEAVY_CATEGORIES.includes(ctg8p1) ? vehicles : 0
    recount.add('profile_day', {}, [bin], { vehicles, heavy_vehicles: heavy })
  }
  return recount.rows
}

/** The distributions of a day by its vehicles. */
async function recountDay(db: Database, station: StationDay): Promise<DistributionRow[]> {
  const recount = new Recount()
  const previous = new Map<number, number>()
  const start = fromWarsaw(Date.parse(station.day))
  for (const vehicle of await vehiclesAround(db, station)) {
    const before = vehicle.hourOnly ? undefined : previous.get(vehicle.laneNumber)
    if (!vehicle.hourOnly) previous.set(vehicle.laneNumber, vehicle.at)
    if (vehicle.at >= start) countVehicle(recount, vehicle, before)
  }
  return recount.rows
}

function countVehicle(recount: Recount, vehicle: CountedVehicle, before: number | undefined): void {
  const { at, laneNumber, ctg8p1, speed, totalLoad } = vehicle
  const overload = vehicle.overload ?? 0
  const lane = { lane_number: laneNumber }
  const keys = { ...lane, ctg8p1 }
  const { hour } = warsawTime(at)
  const isHeavy = HEAVY_CATEGORIES.includes(ctg8p1)

  const daypart = dayparts.indexOf(daypartOf(hour)) + 1
  if (speed !== null && speed > 0) {
    const range = overspeedRange(speed, vehicle.speedLimit)
    const excess = { above_limit: range >= 1 ? 1 : 0, above_limit_by_10: range >= 2 ? 1 : 0 }
    recount.add('speed_day', { ...keys, daypart }, [['counts', speed, 1]], excess)
    recount.add('speed_total_day', { daypart }, [['counts', speed, 1]], excess)
  }

  const isWeighed = totalLoad !== null
  const axles = isWeighed ? unpackAxles(vehicle.axles ?? []).map(({ totalLoad }) => totalLoad) : []
  const load4 = fourthPowerSum(axles)
  recount.add('load_day', { ...keys, overloaded: overload > 0 }, isWeighed ? [['gross', grossBin(totalLoad), 1]] : [], {
    vehicles: 1,
    weighed: isWeighed ? 1 : 0,
    judged: vehicle.overload === null ? 0 : 1,
    load_sum: totalLoad ?? 0,
    axles: axles.length,
    load4_sum: load4,
    judged_load4_sum: vehicle.overload === null ? 0 : load4,
    avoidable4_sum: avoidableFourthPower(load4, overload),
  })
  for (const group of isWeighed ? unpackGroups(vehicle.groups ?? []) : []) {
    const kind = spectrumKind(group.axles[0] ?? 0, group.axles.length)
    const bins = [
      ['t_counts', loadBin(kind, 't', group.totalLoad), 1],
      ['kn_counts', loadBin(kind, 'kN', group.totalLoad), 1],
    ] as const
    const ofKind = { kind: spectrumKinds.indexOf(kind) + 1 }
    recount.add('axle_day', { ...keys, ...ofKind }, bins, { groups: 1 })
    recount.add('axle_total_day', ofKind, bins)
  }

  const headway = before === undefined ? null : headwayBin(at - before)
  if (before !== undefined && headway !== null)
    recount.add('headway_day', { ...lane, heavy: isHeavy }, [['counts', headway, 1]], {
      headway_sum: at - before,
    })
}

/** Rows of days added up to rows of their month. */
function sumRows(days: readonly DistributionRow[]): DistributionRow[] {
  const recount = new Recount()
  for (const { table, row } of days) {
    const { first = 0, ...columns } = row
    const named = Object.entries(columns)
    const keys = named.filter(([column]) => !ARRAYS.includes(column) && !SUMS.includes(column))
    const bins = named
      .filter(([column]) => ARRAYS.includes(column))
      .flatMap(([column, counts]) =>
        (counts as number[]).map((count, index) => [column, Number(first) + index, count] as const),
      )
    // Null: unknown, which a sum leaves out.
    const sums = named.filter(([column, sum]) => SUMS.includes(column) && sum !== null) as [string, number][]
    recount.add(table, Object.fromEntries(keys), bins, Object.fromEntries(sums))
  }
  return recount.rows
}
