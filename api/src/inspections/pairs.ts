import { criteria, type Pair } from '@rogatka/domain/inspections/differences.ts'
import type { PairRow } from './figures-queries.ts'

/** The pairs of a vehicle: its static loads that belong to the sample. */
export const pairsOf = (row: PairRow): Pair[] =>
  row.exclusions.flatMap((exclusion, at) => {
    const criterion = criteria[(row.criteria[at] as number) - 1]
    const [wim, scale] = [row.wim[at], row.scale[at]] as [number, number]
    return exclusion === 0 && criterion ? [{ criterion, wim, scale }] : []
  })
