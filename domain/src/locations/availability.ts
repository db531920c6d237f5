import { UNAVAILABLE_AFTER_MINUTES } from '@rogatka/contract/locations.ts'

/** Whether a station is available: its last vehicle passed at most 30 minutes ago. False without a vehicle. */
export const isAvailable = (lastVehicleTime: Date | string | null, now: Date): boolean =>
  lastVehicleTime !== null && now.getTime() - new Date(lastVehicleTime).getTime() <= UNAVAILABLE_AFTER_MINUTES * 60_000

/** Since when a station has been silent: its last vehicle, once that is longer ago than its limit; null while it sends. */
export const silentSince = (lastVehicleTime: Date | null, limitMinutes: number, now: Date): Date | null =>
  lastVehicleTime && now.getTime() - lastVehicleTime.getTime() > limitMinutes * 60_000 ? lastVehicleTime : null

/** Lane numbers: 1 up to the largest lane count of the locations. */
export const laneOptions = (locations: readonly { lanes: readonly unknown[] }[]): number[] => {
  const lanes = Math.max(0, ...locations.map((location) => location.lanes.length))
  return Array.from({ length: lanes }, (_, index) => index + 1)
}
