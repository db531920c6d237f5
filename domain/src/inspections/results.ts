import type { InspectionResult } from '@rogatka/contract/inspections.ts'

const COMPLIANT: InspectionResult = 1
/** Weighing refused, scale out of order. */
const NOT_WEIGHED: readonly InspectionResult[] = [9, 10]
/** Consequences of an overload, and that nothing was weighed, exclude that the vehicle is compliant. */
const NOT_COMPLIANT: readonly InspectionResult[] = [2, 3, 4, 5, 6, 7, ...NOT_WEIGHED]
const WITH_AMOUNT: readonly InspectionResult[] = [3, 4]
/** With another offence, possible without weights. */
const UNWEIGHED: readonly InspectionResult[] = [...NOT_WEIGHED, 11]

type Results = { results: readonly InspectionResult[]; fineAmount: number | null }

/** Error of the results of an inspection with its field; null if valid. */
export function resultsError({
  results,
  fineAmount,
}: Results): { path: 'results' | 'fineAmount'; code: 'result-missing' | 'results-contradict' } | null {
  if (results.length === 0) return { path: 'results', code: 'result-missing' }
  if (results.includes(COMPLIANT) && NOT_COMPLIANT.some((result) => results.includes(result)))
    return { path: 'results', code: 'results-contradict' }
  if (fineAmount !== null && !WITH_AMOUNT.some((result) => results.includes(result)))
    return { path: 'fineAmount', code: 'results-contradict' }
  return null
}

/** Whether an inspection with these results can be closed without weights. */
export const canCloseUnweighed = (results: readonly InspectionResult[]): boolean =>
  UNWEIGHED.some((result) => results.includes(result))

/** Whether the results say that the vehicle was not weighed. */
export const contradictsWeights = (results: readonly InspectionResult[]): boolean =>
  NOT_WEIGHED.some((result) => results.includes(result))

/** Whether it must be explained why an inspection is compliant: its static loads exceed a limit for sure. */
export const needsReason = (results: readonly InspectionResult[], isConfirmed: boolean | null): boolean =>
  results.includes(COMPLIANT) && isConfirmed === true
