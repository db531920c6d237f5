import type { PlateState } from '@rogatka/contract/vms.ts'

/** State of a station's plate sign and of a vehicle. */
export type PlateView = {
  now: Date
  /** The station has a plate sign that is online. */
  available: boolean
  /** A variant is enabled. */
  scenarioEnabled: boolean
  /** When the vehicle can read the sign; null: never or unknown. */
  readablePointAt: Date | null
  /** The caller may control signs. */
  permitted: boolean
  /** What the sign shows or is about to show. */
  displayed: { isThisVehicle: boolean; isOwn: boolean } | null
}

/**
 * State of a vehicle's sign button. The displayed content has priority over everything but the sign's availability, so
 * that its user can always cancel it.
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
