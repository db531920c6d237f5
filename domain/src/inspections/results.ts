import type { InspectionResult } from '@rogatka/contract/inspections.ts'

const COMPLIANT: InspectionResult = 1
/** Consequences of an overload, which a compliant vehicle does not have. */
const CONSEQUENCES: readonly InspectionResult[] = [2, 3, 4, 5, 6, 7]
const WITH_AMOUNT: readonly InspectionResult[] = [3, 4]
/** Weighing refused, scale out of order, other offence: possible without weights. */
const UNWEIGHED: readonly InspectionResult[] = [9, 10, 11]

type Outcome = { results: readonly InspectionResult[]; fineAmount: number | null }

/** Error of the results of an inspection with its field; null if valid. */
export function resultsError({
  results,
  fineAmount,
}: Outcome): { path: 'results' | 'fineAmount'; code: 'result-missing' | 'results-contradict' } | null {
  if (results.length === 0) return { path: 'results', code: 'result-missing' }
  if (results.includes(COMPLIANT) && CONSEQUENCES.some((result) => results.includes(result)))
    return { path: 'results', code: 'results-contradict' }
  if (fineAmount !== null && !WITH_AMOUNT.some((result) => results.includes(result)))
    return { path: 'fineAmount', code: 'results-contradict' }
  return null
}

/** Whether an inspection with these results can be closed without weights. */
export const canCloseUnweighed = (results: readonly InspectionResult[]): boolean =>
  UNWEIGHED.some((result) => results.includes(result))

/** Whether it must be explained why an inspection is compliant: its static loads exceed a limit for sure. */
export const needsReason = (results: readonly InspectionResult[], isConfirmed: boolean | null): boolean =>
  results.includes(COMPLIANT) && isConfirmed === true
