import type { Tag, WireVehicle } from '@rogatka/contract/vehicle.ts'
import { session } from '../core/session.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'

/** Tags that the user has set here, by vehicle; `at`: when, by `performance.now`, Infinity while the request runs. */
const ownTags = new Map<string, { tags: Tag[]; at: number }>()

/** `since`: when the request began that set these tags, by `performance.now`; null while it runs. */
type TagChange = (vehicle: WireVehicle, tags: Tag[], since: number | null) => void
const listeners = new Set<TagChange>()

/** Subscribes to all tag changes; returns the function that unsubscribes. */
export function onTags(listener: TagChange): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows these tags everywhere, also over answers that may lack them. */
export const setOwnTags: TagChange = (vehicle, tags, since) => {
  ownTags.set(vehicleKey(vehicle), { tags, at: since === null ? Number.POSITIVE_INFINITY : performance.now() })
  for (const listener of listeners) listener(vehicle, tags, since)
}

/** An answer with the tags that the user has set since it was requested, by `performance.now`. */
export const withOwnTags = <V extends WireVehicle>(vehicle: V, requestedAt: number): V => {
  const own = vehicle.tags && ownTags.get(vehicleKey(vehicle))
  return own && own.at >= requestedAt ? { ...vehicle, tags: own.tags } : vehicle
}

session.subscribe(() => {
  if (session.get().token === null) ownTags.clear()
})
