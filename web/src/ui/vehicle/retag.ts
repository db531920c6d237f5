import type { Tag, WireVehicle } from '@rogatka/contract/vehicle.ts'
import { vehicleKey } from './vehicleKey.ts'

type TaggedVehicle = Pick<WireVehicle, 'id' | 'createdAt' | 'tags'>

/** The vehicle with new tags if it is the tagged one, else unchanged. */
export const retag = <V extends TaggedVehicle>(
  vehicle: V,
  tagged: Pick<WireVehicle, 'id' | 'createdAt'>,
  tags: Tag[],
): V => (vehicleKey(vehicle) === vehicleKey(tagged) ? { ...vehicle, tags } : vehicle)
