import { criteria, type Pair } from '@rogatka/domain/inspections/differences.ts'
import type { PairRow } from './figures-queries.ts'

/** The pairs of a vehicle: its static loads that belong to the sample. */
export const pairsOf = (row: PairRow): Pair[] =>
  row.exclusions.flatMap((exclusion, index) => {
    const criterion = criteria[(row.criteria[index] as number) - 1]
    const [wim, scale] = [row.wim[index], row.scale[index]] as [number, number]
    return exclusion === 0 && criterion ? [{ criterion, wim, scale }] : []
  })
