import { hasRight } from '@rogatka/contract/access.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import type { PlateOnVms } from '@rogatka/contract/vms.ts'
import { isManageable, plateState } from '@rogatka/domain/vms/plateState.ts'
import type { Database } from '../core/database.ts'
import type { Session } from '../core/sessions.ts'
import { plateSignOf, type SignRow } from './queries.ts'
import { isAvailable, plateView } from './view.ts'

type Looker = Pick<Session, 'permissions' | 'userId'>

/** What the button of a vehicle says to this session, as far as the sign of its station goes. */
export async function plateOf(db: Database, looker: Looker, vehicle: Vehicle, now: Date): Promise<PlateOnVms> {
  return plateOnSign(await plateSignOf(db, vehicle.location.id), looker, vehicle, now)
}

export function plateOnSign(sign: SignRow | undefined, looker: Looker, vehicle: Vehicle, now: Date): PlateOnVms {
  const plate = sign?.plate ?? null
  const readablePointAt = vehicle.plateVmsReadablePointAt
  const state = plateState({
    now,
    available: sign !== undefined && isAvailable(sign, now),
    scenarioEnabled: sign?.enabledVariant != null,
    readablePointAt,
    permitted: mayCommand(looker),
    displayed: plate && {
      isThisVehicle: plate.vehicleId === vehicle.id && +plate.vehicleCreatedAt === +vehicle.createdAt,
      // What comes down already needs no cancelling.
      isOwn: plate.setBy.id === looker.userId && plate.endingAt === null,
    },
  })
  const view = plate && plateView(plate, looker)
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

const mayCommand = ({ permissions }: Looker): boolean =>
  hasRight(permissions, 'Vms') && hasRight(permissions, 'CurrentMeasurements')
