import type { Database } from '../core/database.ts'
import { vehicleByKey } from '../vehicle/public-api.ts'
import type { DueDelivery } from './delivery-queries.ts'

/**
 * The time of the event, and its data; the same at every attempt, unless the vehicle has been deleted meanwhile. `plate`: the
 * one that it has; null: none.
 */
export async function composeBody(
  db: Database,
  event: DueDelivery,
  withPlates: boolean,
): Promise<{ body: string; plate: string | null }> {
  const { type, createdAt, eventLocationId: locationId, vehicleId, vehicleCreatedAt, data } = event
  const isOfVehicle = vehicleId !== null && vehicleCreatedAt !== null
  const key = isOfVehicle && { id: vehicleId, createdAt: vehicleCreatedAt, locationId }
  const vehicle = key && withPlates ? await vehicleByKey(db, key) : undefined
  const body = JSON.stringify({
    type,
    timestamp: createdAt.toISOString(),
    data: {
      ...(locationId !== 0 && { locationId }),
      ...(key && { vehicleId, createdAt: vehicleCreatedAt.toISOString() }),
      ...data,
      ...(vehicle && { plateLpr: vehicle.plateLpr, nationality: vehicle.nationality }),
    },
  })
  return { body, plate: vehicle?.plateLpr ?? null }
}
