import type { EnteredWeights } from '@rogatka/domain/inspections/weighing.ts'
import { PHOTO_LOST } from './sending.ts'
import type { StepRefusal } from './work.ts'

/** Codes of steps that came after those of somebody else. */
const CONFLICTS: readonly (string | null)[] = ['version-outdated', 'forbidden', 'inspection-taken-over']
/** Codes of steps that are refused again, however often they are sent. */
const FINAL: readonly (string | null)[] = [
  'forbidden',
  'inspection-taken-over',
  'state-not-allowed',
  'inspection-not-found',
  'reason-missing',
  'inspection-closed-meanwhile',
  PHOTO_LOST,
]

type ConflictContext = {
  /** The inspection belongs to another officer. */
  isOfOther: boolean
  /** The user may take the steps of others. */
  isReviewer: boolean
}

/** Whether the step was refused as another officer has the inspection, and whether it can be sent again. */
export function conflictOf({ code }: Pick<StepRefusal, 'code'>, { isOfOther, isReviewer }: ConflictContext) {
  const isLost = isOfOther && CONFLICTS.includes(code)
  return { isLost, canRetry: !FINAL.includes(code) && (!isLost || isReviewer) }
}

/** Loads in kg in the order of the vehicle, with their sum; null if nothing was weighed. */
export function loadsOf({ axles, groups, gross }: Pick<EnteredWeights, 'axles' | 'groups' | 'gross'>) {
  const parts = (axles ?? groups?.map(({ load }) => load) ?? []).filter((load) => load > 0)
  const total = gross ?? parts.reduce((sum, load) => sum + load, 0)
  return total > 0 ? { parts, total } : null
}
