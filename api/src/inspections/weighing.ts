import { type Passage, passage as passageSchema } from '@rogatka/contract/inspections.ts'
import type { Weighing } from '@rogatka/contract/vehicle-weighing.ts'
import { isValidAt } from '@rogatka/domain/certificates/validity.ts'
import { type EnteredWeights, excessesOf, staticLoads } from '@rogatka/domain/inspections/weighing.ts'
import type { LegalLimits } from '@rogatka/domain/vehicle/limits.ts'

/** The stored copy of a measurement; null without one. */
export const measuredOf = (passage: unknown): Passage | null =>
  passage ? passageSchema.decode(passage as never) : null

type WeighingContext = {
  measured: Passage | null
  ctg8p1: number | null
  /** Legal limits in force at the time of the measurement; null if there are none. */
  limits: LegalLimits | null
  /** With the certificate of that day. */
  scale: Weighing['scale']
  at: Date
}

/** The columns of a weighing: loads with limits, the scale with its certificate of that day, and what certainly exceeds its limit. */
export function weighingColumns(weights: EnteredWeights, { measured, ctg8p1, limits, scale, at }: WeighingContext) {
  const loads = staticLoads(weights, { limits, measured, ctg8p1 })
  const isScaleValid = isValidAt(scale, at)
  const excesses = isScaleValid ? excessesOf(loads, scale.accuracyPercent) : []
  return {
    weighed_at: at,
    ctg8p1,
    scale_id: scale.id,
    static_gross: loads.gross.load,
    confirmed: excesses.length > 0,
    weighing: { ...loads, scale, isScaleValid, excesses },
  }
}
