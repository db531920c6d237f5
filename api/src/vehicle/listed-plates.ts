import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { createLruCache } from '../core/lru-cache.ts'
import { type PassageKey, vehicleKey } from '../core/passage.ts'

/** In memory, with their keys about 3 MB. */
const MAX_PLATES = 20_000

export type ListedPlates = ReturnType<typeof createListedPlates>

/**
 * Plates of the vehicles that this process listed last, as read. When one of them is opened, its line of the access trail
 * is written from here, while the vehicle itself is still being read.
 */
export function createListedPlates() {
  const plates = createLruCache<string>(MAX_PLATES)
  return {
    /** @param vehicles not anonymised */
    add: (vehicles: Iterable<Pick<Vehicle, 'id' | 'createdAt' | 'plateLpr'>>): void => {
      for (const vehicle of vehicles) if (vehicle.plateLpr) plates.set(vehicleKey(vehicle), vehicle.plateLpr)
    },
    plateOf: (key: PassageKey): string | undefined => plates.get(vehicleKey(key)),
  }
}
