import type { AccuracyClass } from '@rogatka/contract/locations.ts'

/** Percent by which a measured load may deviate from the true one. */
type Tolerance = { gross: number; group: number; singleAxle: number; axleOfGroup: number }

/** COST 323 tolerances by accuracy class (docs/domain.md). */
export const tolerances: Readonly<Record<AccuracyClass, Tolerance>> = {
  'A(5)': { gross: 5, group: 7, singleAxle: 8, axleOfGroup: 10 },
  'B+(7)': { gross: 7, group: 10, singleAxle: 11, axleOfGroup: 14 },
  'B(10)': { gross: 10, group: 13, singleAxle: 15, axleOfGroup: 20 },
  'C(15)': { gross: 15, group: 18, singleAxle: 20, axleOfGroup: 25 },
  'D+(20)': { gross: 20, group: 23, singleAxle: 25, axleOfGroup: 30 },
  'D(25)': { gross: 25, group: 28, singleAxle: 30, axleOfGroup: 35 },
}

/** Bounds of the true load, whole kg: measured / (1 ± tolerance). */
export const bounds = (measuredKg: number, tolerancePercent: number): { min: number; max: number } => ({
  min: Math.round((measuredKg * 100) / (100 + tolerancePercent)),
  max: Math.round((measuredKg * 100) / (100 - tolerancePercent)),
})

/** Tolerance of one axle, which is larger inside a group. */
export const axleTolerance = (tolerance: Tolerance, axlesInGroup: number): number =>
  axlesInGroup > 1 ? tolerance.axleOfGroup : tolerance.singleAxle

/** The tolerance of a group; a group of one is a single axle. */
export const groupTolerance = (tolerance: Tolerance, axlesInGroup: number): number =>
  axlesInGroup > 1 ? tolerance.group : tolerance.singleAxle
