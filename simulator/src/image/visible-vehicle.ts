import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import { gapsOf } from '../axles.ts'
import { type Kind, type Layout, layouts } from '../kinds.ts'
import { hash, trafficRandom } from '../random.ts'
import { cargoIntervals, SAMPLE_CM } from '../shape.ts'
import { type CargoBody, overhangs, type VehicleShape } from '../vehicle-shape.ts'

/** The visible properties of a measured vehicle. Lengths in cm. */
export type VisibleVehicle = {
  form: VehicleShape
  /** Height profile, evenly spaced over the length, by default one sample per 25 cm. */
  profile: readonly number[]
  /** Null: unreadable. */
  plate: string | null
  nationality: string | null
  make: string | null
  /** Selects paint and details; equal for equal plates. */
  styleSeed: number
}

const BY_CATEGORY: Record<number, Kind> = {
  10: 'motorcycle',
  7: 'car',
  11: 'van',
  5: 'bus',
  3: 'lorry',
  9: 'articulated',
  8: 'road-train',
}

const kindOf = (measurement: WireMeasurement, length: number, height: number): Kind => {
  const known = BY_CATEGORY[measurement.ctg8p1 ?? 0]
  if (known) return known
  const profile = measurement.shapeSamples ?? []
  if (measurement.ctg8p1 === 2)
    return Math.max(0, ...profile.slice(0, Math.ceil(profile.length / 3))) > 186 ? 'van-trailer' : 'car-trailer'
  // Unclassified: by size.
  if (length > 1_680) return 'road-train'
  if (length > 1_150) return 'articulated'
  if (length > 690) return 'lorry'
  if (height > 185) return 'van'
  return length < 280 ? 'motorcycle' : 'car'
}

/** The layout with the measured axle groups; by default the most frequent one of the kind. */
const layoutOf = (kind: Kind, gaps: readonly number[]): Layout => {
  const usual = layouts[kind].reduce((best, next) => (next[1] > best[1] ? next : best))[0]
  const groups = gaps.reduce(
    (digits, gap) => (gap <= 180 ? digits.slice(0, -1) + (Number(digits.at(-1)) + 1) : `${digits}1`),
    '1',
  )
  return layouts[kind].find(([layout]) => layout.replace(/\D/g, '') === groups)?.[0] ?? usual
}

/** Guesses the cargo body from the height profile behind the cab. */
const bodyOf = (heights: readonly number[], styleSeed: number): CargoBody => {
  const top = Math.max(0, ...heights)
  const [first = top, last = top] = [heights[0], heights.at(-1)]
  if (heights.filter((height) => height < top - 60).length > heights.length / 4) return 'flatbed'
  if (first < top - 25 && last < top - 25) return 'tank'
  if (top < 378 && first > (heights[Math.floor(heights.length / 2)] ?? top) + 12) return 'tipper'
  return (['curtain', 'curtain', 'box', 'container'] as const)[styleSeed % 4] ?? 'curtain'
}

const samplesBetween = (
  profile: readonly number[],
  [from, to]: readonly [number, number],
  length: number,
): number[] => {
  const step = profile.length > 0 ? length / profile.length : SAMPLE_CM
  return profile.filter((_, i) => (i + 0.5) * step >= from && (i + 0.5) * step <= to)
}

/** Derives the visible properties from a measurement alone, so that any measurement can be drawn. */
export const visibleVehicleOf = (
  measurement: WireMeasurement,
  plate = measurement.plateLpr ?? null,
): VisibleVehicle => {
  const styleSeed = hash(plate ?? String(measurement.sequence))
  const measuredGaps = (measurement.axles ?? []).slice(1).map((axle) => axle.gap ?? 130)
  const guess = measurement.vehLength ?? 1_600
  const kind = kindOf(measurement, guess, measurement.vehHeight ?? 0)
  const layout = layoutOf(kind, measuredGaps)
  const gaps = measuredGaps.length > 0 ? measuredGaps : gapsOf(layout, trafficRandom(`gaps:${styleSeed}`))
  const wheelbase = gaps.reduce((sum, gap) => sum + gap, 0)
  const length = Math.max(measurement.vehLength ?? 0, wheelbase + 120)
  const overhang = Math.min(overhangs[kind], length - wheelbase - 30)
  const height = measurement.vehHeight ?? 150
  const profile = measurement.shapeSamples ?? []

  const bare: VehicleShape = { kind, layout, body: 'curtain', gaps, length, overhang, cab: height, load: height }
  const [interval] = cargoIntervals(bare)
  const behind = interval ? samplesBetween(profile, [interval[0] + 12, interval[1] - 12], length) : []
  const cabin = samplesBetween(profile, [0, interval ? interval[0] - 40 : length], length)
  const form: VehicleShape = {
    ...bare,
    body: behind.length > 3 ? bodyOf(behind, styleSeed) : 'curtain',
    cab: cabin.length > 0 ? Math.max(...cabin) : height,
    load: behind.length > 0 ? Math.max(...behind) : height,
  }
  return {
    form,
    profile,
    plate,
    nationality: measurement.nationality ?? null,
    make: measurement.euro?.make ?? null,
    styleSeed,
  }
}
