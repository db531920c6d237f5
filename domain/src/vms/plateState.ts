import type { PlateState } from '@rogatka/contract/vms.ts'

/** What is known of the sign for plates of a station, and of the vehicle that somebody looks at. */
export type PlateView = {
  now: Date
  /** The station has such a sign and it answers. */
  available: boolean
  /** A variant is enabled on it. */
  scenarioEnabled: boolean
  /** When the vehicle comes to the sign; null: never, or nobody knows. */
  readablePointAt: Date | null
  /** The caller may command signs. */
  permitted: boolean
  /** What is on the sign or on its way there. */
  displayed: { isThisVehicle: boolean; isOwn: boolean } | null
}

/**
 * What the button of a vehicle says. What stands there goes before everything but the sign itself, so that who set it
 * can cancel it to the end.
 */
export function plateState(view: PlateView): PlateState {
  if (view.displayed?.isThisVehicle && view.displayed.isOwn && view.permitted) return 'displayed'
  if (!view.available) return 'sign-unavailable'
  if (view.displayed) return view.displayed.isThisVehicle ? 'this-vehicle-selected' : 'another-vehicle-selected'
  if (!view.scenarioEnabled) return 'scenario-not-enabled'
  if (view.readablePointAt === null) return 'no-arrival-time'
  if (view.readablePointAt <= view.now) return 'vehicle-passed'
  return view.permitted ? 'ready' : 'not-permitted'
}

export const isManageable = (state: PlateState): boolean => state === 'ready' || state === 'displayed'
