import { MAX_HOURS_BACK } from '@rogatka/contract/inspections.ts'
import { type InspectionState, openStates, PASSED_BY_HOURS } from '@rogatka/contract/options.ts'
import { HOUR_MS } from '../core/time.ts'

export const inspectionSteps = ['take-over', 'weighing', 'close', 'withdraw', 'passed-by', 'reopen'] as const
export type InspectionStep = (typeof inspectionSteps)[number]

/** An inspection as far as its next step depends on it. */
export type InspectionStatus = {
  state: InspectionState
  announcerId: number
  officerId: number | null
  /** From whom another officer took it over. */
  formerOfficerIds: readonly number[]
  passedByAt: Date | null
  isWeighed: boolean
}

/** Who takes a step. `isReviewer`: has InspectionReview. */
type Actor = { userId: number; isReviewer: boolean }

type StepOptions = {
  now: Date
  /** Needed to take over from another officer. */
  hasReason?: boolean
  /** The results allow closing without weights. */
  canCloseUnweighed?: boolean
}

type StepError = 'state-not-allowed' | 'inspection-taken-over' | 'forbidden'

/** Whether a vehicle that passed by can still be taken over. */
const isTakenInTime = (passedByAt: Date | null, now: Date) =>
  passedByAt !== null && now.getTime() - passedByAt.getTime() <= PASSED_BY_HOURS * HOUR_MS

function isStateAllowed(status: InspectionStatus, step: InspectionStep, { now, canCloseUnweighed }: StepOptions) {
  const { state } = status
  switch (step) {
    case 'take-over':
      if (state === 'passedBy') return isTakenInTime(status.passedByAt, now)
      return state === 'announced' || state === 'takenOver' || state === 'weighed'
    case 'weighing':
      return state === 'takenOver' || state === 'weighed'
    case 'close':
      return state === 'weighed' || (state === 'takenOver' && canCloseUnweighed === true)
    case 'withdraw':
      return state === 'announced' || state === 'takenOver'
    case 'passed-by':
      return state === 'announced'
    case 'reopen':
      return state === 'closed'
  }
}

/** Error of a step, null if allowed. The state comes first: it holds for all users. */
export function stepError(
  status: InspectionStatus,
  step: InspectionStep,
  { userId, isReviewer }: Actor,
  options: StepOptions,
): StepError | null {
  if (!isStateAllowed(status, step, options)) return 'state-not-allowed'
  const isOfficer = status.officerId === userId
  switch (step) {
    case 'take-over': {
      if (status.state === 'announced' || status.state === 'passedBy') return null
      if (isOfficer) return 'state-not-allowed'
      return options.hasReason ? null : 'inspection-taken-over'
    }
    case 'weighing':
    case 'close':
      return isOfficer || isReviewer ? null : 'forbidden'
    case 'withdraw':
      return isOfficer || isReviewer || status.announcerId === userId ? null : 'forbidden'
    case 'passed-by':
      return null
    case 'reopen':
      return isReviewer ? null : 'forbidden'
  }
}

/** The state after an allowed step. Another officer continues in the same state; a reopened one as far as it was. */
export function stateAfter({ state, isWeighed }: InspectionStatus, step: InspectionStep): InspectionState {
  switch (step) {
    case 'take-over':
      return state === 'weighed' ? 'weighed' : 'takenOver'
    case 'weighing':
      return 'weighed'
    case 'close':
      return 'closed'
    case 'withdraw':
      return 'withdrawn'
    case 'passed-by':
      return 'passedBy'
    case 'reopen':
      return isWeighed ? 'weighed' : 'takenOver'
  }
}

/** Error of an entered time, null if valid: not ahead, at most 24 hours back, not before the previous step. */
export function timeError(at: Date, now: Date, previous: Date | null): 'time-order' | null {
  const isAhead = at > now
  const isTooOld = now.getTime() - at.getTime() > MAX_HOURS_BACK * HOUR_MS
  return isAhead || isTooOld || (previous !== null && at < previous) ? 'time-order' : null
}

/** Whether somebody else has closed an inspection that a user had, or that has changed since the user saw it. */
export const isClosedByAnother = (
  { state, officerId, formerOfficerIds }: InspectionStatus,
  { closerId, userId, isOutdated }: { closerId: number | null; userId: number; isOutdated: boolean },
): boolean =>
  state === 'closed' && closerId !== userId && (isOutdated || officerId === userId || formerOfficerIds.includes(userId))

/** Whether users with Inspections alone see it: open ones, own and former own ones, and those that passed by and may be taken over. */
export const isVisible = (status: InspectionStatus, { userId, isReviewer }: Actor, now: Date): boolean =>
  isReviewer ||
  openStates.some((state) => state === status.state) ||
  (status.state === 'passedBy' && isTakenInTime(status.passedByAt, now)) ||
  status.announcerId === userId ||
  status.officerId === userId ||
  status.formerOfficerIds.includes(userId)
