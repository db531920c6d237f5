import { correctFinish, restoreFinish, revokeFinish } from '@rogatka/contract/calibration.ts'
import { MAX_CLOCK_AHEAD_MINUTES } from '@rogatka/contract/ingest.ts'
import { laneId, laneOfId } from '@rogatka/contract/options.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { type Actor, audit } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import {
  type FinishSelection,
  insertFinish,
  type LockedFinish,
  listReferences,
  lockFinishes,
  moveFinishes,
  setRevocation,
} from './finish-queries.ts'
import { findLocations, freezeEach, referenceEnd } from './lanes.ts'
import { nextFinishes } from './queries.ts'

type Selection = { lanes: readonly number[]; versions?: readonly number[] | undefined; finishedAt: Date }

/** @throws 422 if a calibration would be finished in the future */
export function refuseFuture(time: Date, now: Date): void {
  if (time.getTime() > now.getTime() + MAX_CLOCK_AHEAD_MINUTES * MINUTE_MS)
    throw new Refusal('calibration-in-the-future', 422, 'time')
}

/** Registers the routes that correct, revoke and restore finished calibrations. */
export function finishUpkeepRoutes(api: Api): void {
  route(api, revokeFinish, ({ db, now, body, session, request }) => {
    const { reason } = body
    return forEachStation(db, body, async (db, { shortName, selection, found }) => {
      if (found.some(({ valid }) => !valid)) throw new Refusal('calibration-already-revoked', 409)
      checkVersions(body, found)
      await setRevocation(db, selection, { at: now, by: session.username, reason })
      await audit(
        db,
        { session, request, now },
        { action: 'calibration-revoked', subject: shortName, before: stateOf(selection, found), after: { reason } },
      )
    })
  })

  route(api, correctFinish, async ({ db, now, body, session, request }) => {
    const { time, reason } = body
    refuseFuture(time, now)
    // The audit log shows changes only.
    if (time.getTime() === body.finishedAt.getTime()) throw new Refusal('calibration-already-recorded', 409, 'time')
    await forEachStation(db, body, async (db, { shortName, selection, found }) => {
      if (found.some(({ valid }) => !valid)) throw new Refusal('calibration-already-revoked', 409)
      checkVersions(body, found)
      const measured = await listReferences(db, selection)
      await moveFinishes(db, selection, { time, at: now, by: session.username, reason })
      await refuseLoss(db, { ...selection, finishedAt: time }, measured, now)
      await audit(
        db,
        { session, request, now },
        {
          action: 'calibration-corrected',
          subject: shortName,
          before: stateOf(selection, found),
          after: { finishedAt: time, reason },
        },
      )
    }).catch((error: unknown) => {
      const isConflict = (error as { code?: unknown }).code === '23505'
      throw isConflict ? new Refusal('calibration-already-recorded', 409, 'time') : error
    })
  })

  route(api, restoreFinish, ({ db, now, body, session, request }) =>
    forEachStation(db, body, async (db, { shortName, selection, found }) => {
      if (found.some(({ valid }) => valid)) throw new Refusal('changed-meanwhile', 409)
      checkVersions(body, found)
      await setRevocation(db, selection, null)
      await audit(
        db,
        { session, request, now },
        {
          action: 'calibration-restored',
          subject: shortName,
          before: { reason: reasonsOf(found) },
          after: stateOf(selection, found),
        },
      )
    }),
  )
}

/**
 * Creates the references of a corrected calibration.
 * @throws 409 if a lane with a measured reference, one of `measured`, can no longer have one
 */
async function refuseLoss(
  db: Database,
  corrected: FinishSelection,
  measured: readonly { laneNumber: number }[],
  now: Date,
): Promise<void> {
  if (measured.length === 0) return
  await freezeEach(db, [corrected])
  const kept = await listReferences(db, corrected)
  const next = await nextFinishes(db, corrected)
  const isOver = (lane: number) =>
    referenceEnd(corrected) <= now ||
    next.some(({ laneNumber, finishedAt }) => laneNumber === lane && finishedAt <= now)
  const isLost = ({ laneNumber: lane }: { laneNumber: number }) =>
    isOver(lane) && !kept.some(({ laneNumber }) => laneNumber === lane)
  if (measured.some(isLost)) throw new Refusal('calibration-reference-lost', 409, 'time')
}

/**
 * Records a finished calibration and audits it: of revoked lanes as restored, of valid ones not at all. Returns how
 * many lanes changed.
 */
export async function recordFinish(
  db: Database,
  { shortName, ...selection }: FinishSelection & { shortName: string },
  actor: Actor,
): Promise<number> {
  const found = await lockFinishes(db, selection)
  const changed = (await insertFinish(db, selection, actor.session, actor.now)).map(({ laneNumber }) => laneNumber)
  const revoked = found.filter(({ laneNumber, valid }) => !valid && changed.includes(laneNumber))
  const lanes = changed.filter((lane) => !revoked.some(({ laneNumber }) => laneNumber === lane))
  if (lanes.length > 0)
    await audit(db, actor, { action: 'calibration-finished', subject: shortName, after: { ...selection, lanes } })
  if (revoked.length > 0) {
    const restored = { ...selection, lanes: revoked.map(({ laneNumber }) => laneNumber) }
    await audit(db, actor, {
      action: 'calibration-restored',
      subject: shortName,
      before: { reason: reasonsOf(revoked) },
      after: stateOf(restored, [{ enteredBy: actor.session.username }]),
    })
  }
  return changed.length
}

type LockedFinishes = {
  shortName: string
  selection: FinishSelection
  found: readonly (LockedFinish & { id: number })[]
}

/**
 * Runs `change` for each station of the lanes, with their calibration locked, in one transaction.
 * @throws 404 if a lane has no such calibration; 409 if the caller sent versions, so that it had one when it was listed
 */
async function forEachStation(
  db: Pool,
  { lanes: ids, versions, finishedAt }: Selection,
  change: (db: Database, locked: LockedFinishes) => Promise<void>,
): Promise<void> {
  const byLocation = Map.groupBy(Array.from(new Set(ids), laneOfId), ({ locationId }) => locationId)
  await db.transaction(async (db) => {
    for (const { id: locationId, shortName } of await findLocations(db, [...byLocation.keys()])) {
      const lanes = (byLocation.get(locationId) ?? []).map(({ laneNumber }) => laneNumber)
      const selection = { locationId, lanes, finishedAt }
      const found = await lockFinishes(db, selection)
      if (found.length < lanes.length)
        throw versions ? new Refusal('changed-meanwhile', 409) : new Refusal('calibration-not-found', 404)
      await change(db, {
        shortName,
        selection,
        found: found.map((finish) => ({ ...finish, id: laneId(locationId, finish.laneNumber) })),
      })
    }
  })
}

/** @throws 409 if another user has changed a calibration since it was listed */
function checkVersions({ lanes, versions }: Selection, found: LockedFinishes['found']): void {
  if (versions && found.some(({ id, version }) => versions[lanes.indexOf(id)] !== version))
    throw new Refusal('changed-meanwhile', 409)
}

const reasonsOf = (found: readonly Pick<LockedFinish, 'reason'>[]) =>
  [...new Set(found.map(({ reason }) => reason))].join(', ')

/** The state of a calibration for the audit log. */
const stateOf = (
  { locationId, lanes, finishedAt }: FinishSelection,
  found: readonly Pick<LockedFinish, 'enteredBy'>[],
) => ({
  locationId,
  lanes,
  finishedAt,
  enteredBy: [...new Set(found.map((finish) => finish.enteredBy))].join(', '),
})
