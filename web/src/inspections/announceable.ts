import { openStates } from '@rogatka/contract/options.ts'
import type { InspectionMark, WireVehicle } from '@rogatka/contract/vehicle.ts'
import { openingAt } from '@rogatka/domain/inspections/opening.ts'
import { serverNow } from '../core/clock.ts'

/** What is needed to announce a vehicle. */
export type Announceable = Pick<WireVehicle, 'id' | 'createdAt' | 'inspection' | 'plateLpr' | 'nationality'> &
  Partial<Pick<WireVehicle, 'checkpointTime'>> & { location: { id: number } }

type OpeningInput = Pick<Announceable, 'createdAt' | 'checkpointTime' | 'inspection'>

/** The open inspection of a vehicle; undefined without one. */
export const openInspection = ({ inspection }: Pick<WireVehicle, 'inspection'>): InspectionMark | undefined =>
  inspection && (openStates as readonly string[]).includes(inspection.state) ? inspection : undefined

/** How an inspection of the vehicle can be opened now; null: it has one, or it is too late. */
export function openingOf({ inspection, createdAt, checkpointTime }: OpeningInput): 'announced' | 'takenOver' | null {
  // One that passed by is taken over on its own page.
  if (inspection && inspection.state !== 'withdrawn') return null
  const measured = { createdAt: new Date(createdAt), checkpointTime: checkpointTime ? new Date(checkpointTime) : null }
  return openingAt(measured, new Date(serverNow()))
}

/** Whether the vehicle can be announced now, or its announcement taken back. */
export const canToggle = (vehicle: OpeningInput): boolean =>
  openInspection(vehicle)?.state === 'announced' || openingOf(vehicle) === 'announced'
