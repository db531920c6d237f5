import type { WireInspection } from '@rogatka/contract/inspections.ts'
import type { Excess } from '@rogatka/contract/vehicle-weighing.ts'
import type { evaluateEntry } from './entryEvaluation.ts'

type Evaluation = Pick<ReturnType<typeof evaluateEntry>, 'excesses' | 'areLimitsKnown' | 'gross'>

export type Verdict = {
  /** Also the key of its text. `limits-unknown`: only the server knows the limits. */
  kind: 'confirmed' | 'within-limits' | 'limits-unknown' | 'scale-invalid'
  excesses: readonly Excess[]
  /** Of the gross weight, kg. */
  limit: number | null
}

/** What the scale says of weights that are stored, by the server. */
export const verdictOfStored = ({ excesses, isScaleValid, gross }: NonNullable<WireInspection['static']>): Verdict => ({
  kind: !isScaleValid ? 'scale-invalid' : excesses.length > 0 ? 'confirmed' : 'within-limits',
  excesses,
  limit: gross.limit,
})

/** What the scale says of weights that the server does not have yet, as far as their limits are known here. */
export const verdictOfEntry = (
  { excesses, areLimitsKnown, gross }: Evaluation,
  { scaleIsValid }: { scaleIsValid: boolean },
): Verdict => ({
  kind: !scaleIsValid
    ? 'scale-invalid'
    : excesses.length > 0
      ? 'confirmed'
      : areLimitsKnown
        ? 'within-limits'
        : 'limits-unknown',
  excesses,
  limit: gross.limit,
})
