import type { ErrorCode } from '@rogatka/contract/errors.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import type { PlateState } from '@rogatka/contract/vms.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { inspectionLines, toMulti } from '@rogatka/domain/vms/multi.ts'
import type { Database, Pool } from '../core/database.ts'
import type { PassageKey } from '../core/passage.ts'
import { Refusal } from '../core/refusal.ts'
import type { Session } from '../core/sessions.ts'
import { awaitOutcomes, COMMAND_DEADLINE_MS } from './outcome.ts'
import { plateOnSign } from './plate.ts'
import { claimSign, findPlateSign, insertCommands, markPlateEnding } from './queries.ts'

/** The user who commands a sign, their address, and the time. */
type Commander = { session: Session; request: { ip: string }; now: Date }

/**
 * Shows a vehicle, or all lorries, on the sign of its station, and waits until the sign shows it.
 * @throws Refusal if the sign cannot show it, is used for another vehicle, or does not answer
 */
export async function showOnSign(
  db: Pool,
  { session, request, now }: Commander,
  vehicle: Vehicle,
  allTrucks: boolean,
): Promise<void> {
  if (!allTrucks && vehicle.plateLpr === null) throw new Refusal('no-plate', 422)
  const { commandId } = await db.transaction(async (db) => {
    const sign = await findPlateSign(db, vehicle.location.id)
    const { state } = plateOnSign(sign, session, vehicle, now)
    const until = vehicle.plateVmsReadablePointAt
    if (state !== 'ready' || !sign || !until) throw refusalOf(state)
    const plate = allTrucks ? null : displayPlate(vehicle.plateLpr as string, vehicle.nationality)
    const plateId = await claimSign(db, {
      signId: sign.id,
      locationId: vehicle.location.id,
      vehicleId: vehicle.id,
      vehicleCreatedAt: vehicle.createdAt,
      plateLpr: vehicle.plateLpr,
      allTrucks,
      shown: toMulti({ graphic: null, lines: inspectionLines(plate) }),
      userId: session.userId,
      ip: request.ip,
      setAt: now,
      until,
    })
    // Another user was faster.
    if (plateId === undefined) throw refusalOf('another-vehicle-selected')
    const deadline = new Date(Math.min(now.getTime() + COMMAND_DEADLINE_MS, until.getTime()))
    const command = { signId: sign.id, userId: session.userId, ip: request.ip, askedAt: now, deadline }
    const ids = await insertCommands(db, [{ ...command, kind: 'plate', plateId }])
    return { commandId: ids.get(sign.id) as number }
  })
  const outcome = (await awaitOutcomes(db, [commandId])).get(commandId) ?? 'sign-did-not-answer'
  if (outcome !== 'done') throw new Refusal(outcome as ErrorCode, outcome === 'superseded' ? 409 : 422)
}

/** Whether the sign of its station shows this vehicle, or is about to. */
export async function isOnSign(db: Database, key: PassageKey): Promise<boolean> {
  const plate = (await findPlateSign(db, key.locationId))?.plate
  return plate?.vehicleId === key.id && +plate.vehicleCreatedAt === +key.createdAt && plate.endingAt === null
}

/**
 * Clears a vehicle from the sign of its station, whoever had it shown; does not wait for the sign. Call it in the
 * transaction of the change that makes the plate pointless.
 */
export async function clearFromSign(
  db: Database,
  { session, request, now }: Commander,
  key: PassageKey,
): Promise<void> {
  const sign = await findPlateSign(db, key.locationId)
  const plate = sign?.plate
  if (!plate || plate.vehicleId !== key.id || +plate.vehicleCreatedAt !== +key.createdAt) return
  await markPlateEnding(db, plate.id, 'cancelled', now)
  const deadline = new Date(now.getTime() + COMMAND_DEADLINE_MS)
  const command = { signId: sign.id, userId: session.userId, ip: request.ip, askedAt: now, deadline }
  await insertCommands(db, [{ ...command, kind: 'restore', plateId: plate.id }])
}

/** The state of the button is the reason of the refusal. */
export const refusalOf = (state: PlateState): Refusal =>
  state === 'ready' || state === 'displayed' || state === 'not-permitted'
    ? new Refusal('this-vehicle-selected', 409)
    : new Refusal(state, 409)
