import { type Passage, passage as passageSchema } from '@rogatka/contract/inspections.ts'
import { type Selection, selections } from '@rogatka/contract/options.ts'
import type { Weighing } from '@rogatka/contract/vehicle-weighing.ts'
import { exclusionOf, exclusions } from '@rogatka/domain/inspections/accuracyPairs.ts'
import { compareWeights, criteria, isPair, type Weights } from '@rogatka/domain/inspections/differences.ts'
import { numberedAxles } from '@rogatka/domain/inspections/weighing.ts'

/** Loads of the measurement; null if a side of an axle was not weighed. */
function wimWeights({ axles = [], axlesComplex }: Pick<Passage, 'axles' | 'axlesComplex'>): Weights {
  const loads = axles.map(({ leftWeight, rightWeight, totalLoad }) =>
    leftWeight === null || rightWeight === null ? null : totalLoad || null,
  )
  const isWeighed = (numbers: readonly number[]) => numbers.every((axle) => loads[axle - 1])
  return {
    gross: loads.every(Boolean) ? (axlesComplex?.totalLoad ?? null) : null,
    axles: loads,
    groups: (axlesComplex?.axlesGroups ?? []).map((group) => ({
      axles: group.axles,
      load: isWeighed(group.axles) ? group.totalLoad : null,
    })),
  }
}

const scaleWeights = ({ gross, axles, lifted, groups }: Weighing): Weights => ({
  gross: gross.load,
  axles: axles && numberedAxles({ axles, lifted }).map(({ weighed }) => weighed?.load ?? null),
  hasLifted: lifted !== undefined,
  groups,
})

/** A weighed inspection of a detection, which is `at`. */
export type WeighedInspection = { id: number; selection: Selection; at: Date; passage: unknown; weighing: Weighing }

/** The static loads of a weighed vehicle in parallel arrays, as in inspection_figure. */
export function comparisonColumns({ selection, at, passage, weighing }: WeighedInspection) {
  const [wim, scale] = [wimWeights(passageSchema.decode(passage as never)), scaleWeights(weighing)]
  const vehicle = { at, selection, scaleValid: weighing.isScaleValid, wim, scale }
  const comparisons = compareWeights(wim, scale).map((comparison) => {
    const reason = exclusionOf(vehicle, comparison, selections)
    const pair = reason === null && isPair(comparison) ? comparison : { wim: 0, scale: 0 }
    return {
      criterion: criteria.indexOf(comparison.criterion) + 1,
      wim: pair.wim,
      scale: pair.scale,
      exclusion: reason === null ? 0 : exclusions.indexOf(reason) + 1,
    }
  })
  return {
    criteria: comparisons.map(({ criterion }) => criterion),
    wim: comparisons.map(({ wim }) => wim),
    scale: comparisons.map(({ scale }) => scale),
    exclusions: comparisons.map(({ exclusion }) => exclusion),
  }
}
