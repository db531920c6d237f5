import type { Tag, WireVehicle } from '@rogatka/contract/vehicle.ts'

type Tagged = Pick<WireVehicle, 'id' | 'createdAt' | 'tags'>

/**
 * A vehicle with other tags, if it is the one that was tagged; else itself. A station that counts anew after a repair
 * repeats its numbers, so a vehicle is meant by its number and its time.
 */
export const retag = <V extends Tagged>(one: V, tagged: Pick<WireVehicle, 'id' | 'createdAt'>, tags: Tag[]): V =>
  one.id === tagged.id && one.createdAt === tagged.createdAt ? { ...one, tags } : one
