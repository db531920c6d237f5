import { hasRight } from '@rogatka/contract/access.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import type { PlateOnVms } from '@rogatka/contract/vms.ts'
import { isManageable, plateState } from '@rogatka/domain/vms/plateState.ts'
import type { Database } from '../core/database.ts'
import type { Session } from '../core/sessions.ts'
import { findPlateSign, type SignRow } from './queries.ts'
import { isAvailable, plateView } from './view.ts'

type Viewer = Pick<Session, 'permissions' | 'userId'>

/** The state of a vehicle's button for this session, given the sign of its station. */
export async function plateOf(db: Database, viewer: Viewer, vehicle: Vehicle, now: Date): Promise<PlateOnVms> {
  return plateOnSign(await findPlateSign(db, vehicle.location.id), viewer, vehicle, now)
}

export function plateOnSign(sign: SignRow | undefined, viewer: Viewer, vehicle: Vehicle, now: Date): PlateOnVms {
  const plate = sign?.plate ?? null
  const readablePointAt = vehicle.plateVmsReadablePointAt
  const state = plateState({
    now,
    available: sign !== undefined && isAvailable(sign, now),
    scenarioEnabled: sign?.enabledVariant != null,
    readablePointAt,
    permitted: canCommand(viewer),
    displayed: plate && {
      isThisVehicle: plate.vehicleId === vehicle.id && +plate.vehicleCreatedAt === +vehicle.createdAt,
      // A plate being removed cannot be cancelled.
      isOwn: plate.setBy.id === viewer.userId && plate.endingAt === null,
    },
  })
  const view = plate && plateView(plate, viewer)
  return {
    plateVms: {
      available: sign !== undefined && isAvailable(sign, now),
      scenarioEnabled: sign?.enabledVariant != null,
      contentDisplayed: plate !== null,
      allTrucksDisplayed: plate?.allTrucks ?? false,
      vehicle: view?.vehicle ?? null,
    },
    manageable: isManageable(state),
    state,
    hasPlate: vehicle.plateLpr !== null,
    setBy: view?.setBy ?? null,
    setAt: view?.setAt ?? null,
    until: view?.until ?? null,
    readablePointAt,
    vms: sign ? { id: sign.id, roadNumber: sign.roadNumber, chainage: sign.chainage } : null,
  }
}

const canCommand = ({ permissions }: Viewer): boolean =>
  hasRight(permissions, 'Vms') && hasRight(permissions, 'CurrentMeasurements')
