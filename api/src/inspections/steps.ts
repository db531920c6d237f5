import { createHash } from 'node:crypto'
import { hasRight } from '@rogatka/contract/access.ts'
import type { auditActions } from '@rogatka/contract/activity.ts'
import type { Inspection } from '@rogatka/contract/inspections.ts'
import {
  type InspectionStep,
  isClosedByAnother,
  isVisible,
  stateAfter,
  stepError,
  timeError,
} from '@rogatka/domain/inspections/states.ts'
import type { FastifyRequest } from 'fastify'
import { assertNotAnonymised } from '../core/anonymity.ts'
import { type Actor, audit } from '../core/audit.ts'
import type { Database, Pool, Transaction } from '../core/database.ts'
import { notifyMarks } from '../core/live-events.ts'
import type { PassageKey } from '../core/passage.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'
import type { Session } from '../core/sessions.ts'
import { warsawTime } from '../core/warsaw.ts'
import { recordWebhookEvent } from '../core/webhook-events.ts'
import { markInspected } from '../offenders/public-api.ts'
import { inspectionRecord } from './audit.ts'
import { vehicleOf } from './copy.ts'
import { withDetails } from './detail.ts'
import { updateFigures } from './figure-row-queries.ts'
import { previousTime } from './history.ts'
import {
  type InspectionChange,
  type InspectionRow,
  inspectionById,
  lockInspection,
  updateInspection,
  usernames,
} from './queries.ts'
import { statusOf, toInspection } from './view.ts'

export const actorOf = (session: Session) => ({
  userId: session.userId,
  isReviewer: hasRight(session.permissions, 'InspectionReview'),
})

/** @throws 404 also if it exists but this user may not see it */
export function requireVisible(row: InspectionRow | undefined, session: Session, now: Date): InspectionRow {
  if (!row || !isVisible(statusOf(row), actorOf(session), now)) throw new Refusal('inspection-not-found', 404)
  return row
}

/** Digest of a request, by which its repetition is recognised. */
export const digestOf = (...parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

type Call = { db: Pool; now: Date; session: Session; request: FastifyRequest }

type StepRequest = Call & {
  params: { id: number }
  body: { version: number; at?: Date | null | undefined; reason?: string | null | undefined }
}

type StepOptions = {
  step: InspectionStep
  action: (typeof auditActions)[number]
  canCloseUnweighed?: boolean
  /** Columns that the step sets besides the state; `at` is the entered time, else now. */
  change: (db: Transaction, row: InspectionRow, at: Date) => Promise<InspectionChange> | InspectionChange
}

/**
 * Takes a step of an inspection, atomically with its audit entry and the notification of the live list. A request that
 * is repeated because its answer was lost changes nothing and gets the same answer.
 */
export async function takeStep({ db, now, session, request, params, body }: StepRequest, options: StepOptions) {
  assertNotAnonymised(session)
  const { step, action, canCloseUnweighed = false } = options
  const digest = digestOf(step, session.userId, body)
  return db.transaction(async (db) => {
    const row = await lockInspection(db, params.id)
    const isRepeated = row?.stepDigest === digest && row.version === body.version + 1
    if (row && isRepeated) return withDetails(db, row, await toInspection(db, row), now)
    const before = requireVisible(row, session, now)
    const status = statusOf(before)
    const isOutdated = before.version !== body.version
    const { userId } = session
    if (step !== 'reopen' && isClosedByAnother(status, { closerId: before.closedBy, userId, isOutdated }))
      throw await closedMeanwhile(db, before)
    if (isOutdated) {
      const isTaken = step === 'take-over' && ['takenOver', 'weighed'].includes(status.state)
      if (isTaken && status.officerId !== userId) throw new Refusal('inspection-taken-over', 409)
      throw new Refusal('version-outdated', 409)
    }
    const hasReason = Boolean(body.reason)
    const error = stepError(status, step, actorOf(session), { now, hasReason, canCloseUnweighed })
    if (error) throw new Refusal(error, error === 'forbidden' ? 403 : error === 'inspection-taken-over' ? 409 : 422)
    const at = body.at ?? now
    if (body.at && timeError(body.at, now, await previousTime(db, before, step)))
      throw new Refusal('time-order', 422, 'at')
    const change = await options.change(db, before, at)
    await updateInspection(db, before.id, { ...change, state: stateAfter(status, step) }, digest)
    await updateFigures(db, [before.id])
    if (change.carrier !== undefined) await markInspected(db, [before.id])
    return recordStep(db, { session, request, now }, before, { action, at })
  })
}

/** A 409 that says who has closed an inspection, and when. */
async function closedMeanwhile(db: Database, { closedBy, closedAt }: InspectionRow): Promise<Refusal> {
  const names = await usernames(db, closedBy === null ? [] : [closedBy])
  const params = { by: names.get(closedBy ?? 0) ?? '', at: closedAt ? warsawTime(closedAt) : '' }
  return refuseFields(409, [{ path: null, code: 'inspection-closed-meanwhile', params }])
}

/** Records the event of a closed inspection, without who was involved. */
const recordClosed = (
  db: Database,
  { id, number, location, results }: Inspection,
  vehicle: PassageKey | null,
  now: Date,
): Promise<unknown> => {
  const data = { inspectionId: id, number, results }
  return recordWebhookEvent(db, { type: 'inspection.closed', locationId: location.id, vehicle, data }, now)
}

/** Audits a change of an inspection and notifies the live list; returns it as it is now. */
async function recordStep(
  db: Database,
  actor: Actor,
  before: InspectionRow,
  { action, at }: Pick<StepOptions, 'action'> & { at: Date },
): Promise<Inspection> {
  const key = vehicleOf(before)
  if (key) await notifyMarks(db, [key])
  const row = (await inspectionById(db, before.id)) as InspectionRow
  const changed = await toInspection(db, row)
  const records = {
    before: inspectionRecord(await toInspection(db, before)),
    // The row keeps the time of the first take-over.
    after: { ...inspectionRecord(changed), ...(action === 'inspection-taken-over' && { takenOverAt: at }) },
  }
  await audit(db, actor, { action, subject: changed.number, ...records })
  if (action === 'inspection-closed') await recordClosed(db, changed, key, actor.now)
  return withDetails(db, row, changed, actor.now)
}
