import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { locationOf } from '@rogatka/contract/ingest.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { cancelPlate, plateStatus, showPlate } from '@rogatka/contract/vms.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import { findRecent, vehicleByKey } from '../vehicle/public-api.ts'
import { recordShown } from '../wanted/public-api.ts'
import { awaitOutcomes, COMMAND_DEADLINE_MS } from './outcome.ts'
import { plateOf } from './plate.ts'
import { findPlateSign, insertCommands, markPlateEnding } from './queries.ts'
import { refusalOf, showOnSign } from './show-plate.ts'

type VehicleQuery = { id: number; locationId: number; createdAt?: Date | undefined }
type PlateCall = Call<typeof plateStatus> | Call<typeof showPlate> | Call<typeof cancelPlate>

/** Registers the routes that show a vehicle on the sign of its station, and remove it. */
export function plateRoutes(api: Api, findLive: (vehicleQuery: VehicleQuery, now: Date) => Vehicle | undefined): void {
  async function vehicleOf({ db, params, query, now }: PlateCall): Promise<Vehicle> {
    const vehicleQuery = { id: params.id, locationId: locationOf(params.id), createdAt: query.createdAt }
    const live = findLive(vehicleQuery, now)
    if (live) return live
    const key = await findRecent(db, vehicleQuery, now)
    const found = key && (await vehicleByKey(db, key))
    if (!found) throw new Refusal('vehicle-not-found', 404)
    return found
  }

  route(api, plateStatus, async (call) => plateOf(call.db, call.session, await vehicleOf(call), call.now))

  route(api, showPlate, async (call) => {
    const { db, session, query, request, now } = call
    const vehicle = await vehicleOf(call)
    await showOnSign(db, { session, request, now }, vehicle, query.allTrucks)
    const { id, createdAt, location } = vehicle
    await recordShown(db, { id, createdAt, locationId: location.id }, session.userId, api.now())
    return plateOf(db, session, vehicle, api.now())
  })

  route(api, cancelPlate, async (call) => {
    const { db, session, request, now } = call
    const vehicle = await vehicleOf(call)
    const commandId = await db.transaction(async (db) => {
      const sign = await findPlateSign(db, vehicle.location.id)
      const plate = sign?.plate
      const isThis = plate?.vehicleId === vehicle.id && +plate.vehicleCreatedAt === +vehicle.createdAt
      if (!plate || !isThis) return undefined
      if (plate.setBy.id !== session.userId) throw refusalOf('this-vehicle-selected')
      await markPlateEnding(db, plate.id, 'cancelled', now)
      const deadline = new Date(now.getTime() + COMMAND_DEADLINE_MS)
      const command = { signId: sign.id, userId: session.userId, ip: request.ip, askedAt: now, deadline }
      const ids = await insertCommands(db, [{ ...command, kind: 'restore', plateId: plate.id }])
      return ids.get(sign.id)
    })
    if (commandId !== undefined) {
      const outcome = (await awaitOutcomes(db, [commandId])).get(commandId) ?? 'sign-did-not-answer'
      // It is removed anyway, once the sign answers.
      if (outcome !== 'done' && outcome !== 'superseded') throw new Refusal(outcome as ErrorCode, 422)
    }
    return plateOf(db, session, vehicle, api.now())
  })
}
