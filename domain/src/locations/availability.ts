/** Since when a station has been silent: its last vehicle, once that is longer ago than its limit; null while it sends. */
export const silentSince = (lastVehicleTime: Date | null, limitMinutes: number, now: Date): Date | null =>
  lastVehicleTime && now.getTime() - lastVehicleTime.getTime() > limitMinutes * 60_000 ? lastVehicleTime : null

/** Whether a station is available: its last vehicle passed at most its limit of silence ago. False without a vehicle. */
export const isAvailable = (lastVehicleTime: Date | string | null, limitMinutes: number, now: Date): boolean =>
  lastVehicleTime !== null && silentSince(new Date(lastVehicleTime), limitMinutes, now) === null

/** Lane numbers: 1 up to the largest lane count of the locations. */
export const laneOptions = (locations: readonly { lanes: readonly unknown[] }[]): number[] => {
  const lanes = Math.max(0, ...locations.map((location) => location.lanes.length))
  return Array.from({ length: lanes }, (_, index) => index + 1)
}
