import type { Tag, WireVehicle } from '@rogatka/contract/vehicle.ts'

type Tagged = Pick<WireVehicle, 'id' | 'createdAt' | 'tags'>

/**
 * The vehicle with new tags if it is the tagged one, else unchanged. Compares id and time, because a station that is
 * reset after a repair reuses ids.
 */
export const retag = <V extends Tagged>(vehicle: V, tagged: Pick<WireVehicle, 'id' | 'createdAt'>, tags: Tag[]): V =>
  vehicle.id === tagged.id && vehicle.createdAt === tagged.createdAt ? { ...vehicle, tags } : vehicle
