import type { InspectionMark, WireVehicle } from '@rogatka/contract/vehicle.ts'

/** What is needed to announce a vehicle. */
export type Announceable = Pick<WireVehicle, 'id' | 'createdAt' | 'inspection' | 'plateLpr' | 'nationality'> & {
  location: { id: number }
}

const OPEN: readonly InspectionMark['state'][] = ['announced', 'takenOver', 'weighed']

/** The open inspection of a vehicle; undefined without one. */
export const openInspection = ({ inspection }: Pick<WireVehicle, 'inspection'>): InspectionMark | undefined =>
  inspection && OPEN.includes(inspection.state) ? inspection : undefined

/** Whether the vehicle can be announced, or its announcement taken back. */
export const canToggle = (vehicle: Pick<WireVehicle, 'inspection'>): boolean =>
  [undefined, 'announced'].includes(openInspection(vehicle)?.state)
