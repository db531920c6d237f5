import { normalisePlate } from '../vehicle/plate.ts'
import { likelyReadings } from './history.ts'

/*
 * Comparison of two detections of one plate (docs/domain.md, Plates).
 */

/** Detections of one vehicle differ by at most this, in cm: each spacing of axles, and the length. */
export const MAX_GAP_DIFFERENCE = 10
export const MAX_LENGTH_DIFFERENCE = 50

/** Loads in kg, spacings and lengths in cm; a spacing of 0 after the first axle is not measured. */
export type ComparedDetection = {
  plateLpr: string | null
  nationality: string | null
  totalLoad: number | null
  vehLength: number | null
  axles?: readonly { totalLoad: number; gap: number }[] | undefined
}

/** What may show that both detections are of one vehicle. */
export const traits = ['plate', 'axles', 'length'] as const
export type Trait = (typeof traits)[number]
/** `similar`: a likely misreading of the other plate. `unknown`: not measured in both. */
export type Agreement = 'agrees' | 'similar' | 'differs' | 'unknown'

type DetectionComparison = {
  /** A less B, kg; null: not weighed in both. */
  mass: number | null
  /** A less B by axle, kg; null: not weighed in both, or different numbers of axles. */
  axles: number[] | null
  /** The axle with the largest difference, from 1. */
  largest: { axle: number; difference: number } | null
  /** The largest difference of an axle spacing, cm; null: not measured in both, or different numbers of axles. */
  gap: number | null
  agreement: Record<Trait, Agreement>
}

const within = (difference: number, max: number): Agreement => (Math.abs(difference) <= max ? 'agrees' : 'differs')

function plateAgreement(a: ComparedDetection, b: ComparedDetection): Agreement {
  const [plateA, plateB] = [normalisePlate(a.plateLpr), normalisePlate(b.plateLpr)]
  if (plateA === null || plateB === null) return 'unknown'
  if (a.nationality && b.nationality && a.nationality !== b.nationality) return 'differs'
  if (plateA === plateB) return 'agrees'
  return likelyReadings(plateA).has(plateB) ? 'similar' : 'differs'
}

/** Compares two detections. States what agrees, and no more: it does not decide whether it is one vehicle. */
export function compareDetections(a: ComparedDetection, b: ComparedDetection): DetectionComparison {
  const [axlesA, axlesB] = [a.axles ?? [], b.axles ?? []]
  const pairs = axlesA.flatMap((axle, at) => {
    const other = axlesB[at]
    return other ? [{ a: axle, b: other }] : []
  })
  const isMeasured = axlesA.length > 0 && axlesB.length > 0
  const isSameCount = isMeasured && axlesA.length === axlesB.length
  const isWeighed = a.totalLoad !== null && b.totalLoad !== null
  const axles = isSameCount && isWeighed ? pairs.map((pair) => pair.a.totalLoad - pair.b.totalLoad) : null
  const largest = (axles ?? [])
    .map((difference, at) => ({ axle: at + 1, difference }))
    .toSorted((one, other) => Math.abs(other.difference) - Math.abs(one.difference))[0]
  const spacings = pairs.slice(1)
  const hasGaps = isSameCount && spacings.length > 0 && spacings.every((pair) => pair.a.gap > 0 && pair.b.gap > 0)
  const gap = hasGaps ? Math.max(...spacings.map((pair) => Math.abs(pair.a.gap - pair.b.gap))) : null
  return {
    mass: isWeighed ? (a.totalLoad ?? 0) - (b.totalLoad ?? 0) : null,
    axles,
    largest: largest ?? null,
    gap,
    agreement: {
      plate: plateAgreement(a, b),
      axles: gap !== null ? within(gap, MAX_GAP_DIFFERENCE) : isMeasured && !isSameCount ? 'differs' : 'unknown',
      length: a.vehLength && b.vehLength ? within(a.vehLength - b.vehLength, MAX_LENGTH_DIFFERENCE) : 'unknown',
    },
  }
}
