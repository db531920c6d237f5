import type { Tag, WireVehicle } from '@rogatka/contract/vehicle.ts'

/**
 * The same vehicles with other tags on one of them. A station that counts anew after a repair repeats its numbers, so a
 * vehicle is meant by its number and its time.
 */
export const withTags = <V extends Pick<WireVehicle, 'id' | 'createdAt' | 'tags'>>(
  vehicles: readonly V[],
  { id, createdAt }: Pick<WireVehicle, 'id' | 'createdAt'>,
  tags: Tag[],
): V[] => vehicles.map((one) => (one.id === id && one.createdAt === createdAt ? { ...one, tags } : one))
