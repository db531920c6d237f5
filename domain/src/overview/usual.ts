import { HOUR_MS } from '../core/time.ts'
import { QUARTER_MS, quarterOf, quartersAround } from './comparable.ts'

/**
 * Vehicles, those with a weight over 3.5 t, and of these those with an exceeded load limit; of a quarter of an hour, or
 * of an hour.
 */
export type Counts = { vehicles: number; weighed: number; overloaded: number }

/** What a station counted, by start of the quarter in ms; a quarter without vehicles has no counts. */
export type QuarterHistory = ReadonlyMap<number, Counts>

export type UsualVehicles = { median: number; low: number; high: number; days: number }

/** Fewer comparable days give no usual value. */
const MIN_DAYS = 3
/** Silence in which at least this many vehicles are expected is an outage. */
const MIN_EXPECTED_VEHICLES = 10
/** Fewer weighed vehicles give no share. */
export const MIN_WEIGHED = 20
/** Smaller differences from the usual value are not unusual. */
const MIN_DIFFERENCE = 20

/** Quantile by linear interpolation between the sorted values. */
function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1)
  const below = Math.floor(place)
  const [low = 0, high = low] = sorted.slice(below, below + 2)
  return low + (high - low) * (place - below)
}

const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b)
const medianOf = (values: readonly number[]) => quantile(ascending(values), 0.5)

/** Counts of the hour that ends at `end`; of a quarter that is partly in it, a part in proportion. */
export function hourUntil(end: number, quarters: QuarterHistory): Counts {
  const sum = { vehicles: 0, weighed: 0, overloaded: 0 }
  for (let at = quarterOf(end - HOUR_MS); at < end; at += QUARTER_MS) {
    const counts = quarters.get(at)
    if (!counts) continue
    const share = (Math.min(at + QUARTER_MS, end) - Math.max(at, end - HOUR_MS)) / QUARTER_MS
    sum.vehicles += counts.vehicles * share
    sum.weighed += counts.weighed * share
    sum.overloaded += counts.overloaded * share
  }
  return sum
}

/** Whether the station was silent in these quarters for so long that `expected` vehicles of each add up to an outage. */
function hasOutage(counts: readonly number[], expected: readonly number[]): boolean {
  let missing = 0
  return counts.some((count, index) => {
    missing = count > 0 ? 0 : missing + (expected[index] ?? 0)
    return missing >= MIN_EXPECTED_VEHICLES
  })
}

/**
 * Of these ends of hours, newest first, those whose hours can be compared: without outages, and without the days before
 * the first one with vehicles.
 */
export function withoutOutages(ends: readonly number[], quarters: QuarterHistory): number[] {
  const days = ends.map((end) => ({
    end,
    counts: quartersAround(end).map((at) => quarters.get(at)?.vehicles ?? 0),
  }))
  const first = days.findLastIndex(({ counts }) => counts.some((count) => count > 0))
  const counted = days.slice(0, first + 1)
  const expected = (counted[0]?.counts ?? []).map((_, place) => {
    const present = counted.map(({ counts }) => counts[place] ?? 0).filter((count) => count > 0)
    return present.length > 0 ? medianOf(present) : 0
  })
  return counted.filter(({ counts }) => !hasOutage(counts, expected)).map(({ end }) => end)
}

/** The usual number of vehicles by those of comparable days, and the band from the 10th to the 90th percentile. */
export function usualVehicles(vehicles: readonly number[]): UsualVehicles | null {
  if (vehicles.length < MIN_DAYS) return null
  const sorted = ascending(vehicles)
  const [median, low, high] = [0.5, 0.1, 0.9].map((share) => Math.round(quantile(sorted, share)))
  return { median: median as number, low: low as number, high: high as number, days: vehicles.length }
}

/** Share of overloaded vehicles in percent with one decimal; null with fewer than 20 weighed. */
export const overloadedPercent = ({ weighed, overloaded }: Omit<Counts, 'vehicles'>): number | null =>
  weighed < MIN_WEIGHED ? null : Math.round((1_000 * overloaded) / weighed) / 10

/** The usual share of overloaded vehicles, from the comparable hours that have one. */
export function usualOverloadedPercent(hours: readonly Counts[]): number | null {
  const shares = hours
    .filter(({ weighed }) => weighed >= MIN_WEIGHED)
    .map(({ weighed, overloaded }) => (100 * overloaded) / weighed)
  return shares.length < MIN_DAYS ? null : Math.round(10 * medianOf(shares)) / 10
}

type ComparedCount = { vehicles: number; usual: UsualVehicles | null }

function sideOf({ vehicles, usual }: ComparedCount): 'low' | 'high' | null {
  if (!usual) return null
  if (vehicles < usual.low) return 'low'
  return vehicles > usual.high ? 'high' : null
}

/**
 * On which side the traffic is unusual: an hour and each of its last two quarters are outside their bands on the same
 * side, and the hour differs from its median by 20 vehicles or more.
 */
export function unusualSide(hour: ComparedCount, lastQuarters: readonly ComparedCount[]): 'low' | 'high' | null {
  const side = sideOf(hour)
  if (!side || !hour.usual || lastQuarters.some((quarter) => sideOf(quarter) !== side)) return null
  return Math.abs(hour.vehicles - hour.usual.median) >= MIN_DIFFERENCE ? side : null
}
