import { DAY_MS, MINUTE_MS } from '../core/time.ts'

/** Since when a station has been silent: its last vehicle, once that is longer ago than its limit; null while it sends. */
export const silentSince = (lastVehicleTime: Date | null, limitMinutes: number, now: Date): Date | null =>
  lastVehicleTime && now.getTime() - lastVehicleTime.getTime() > limitMinutes * MINUTE_MS ? lastVehicleTime : null

/** Grace period of a new station before its first vehicle. */
export const FIRST_VEHICLE_MS = DAY_MS

type Sender = { lastVehicleTime: Date | null; addedAt: Date; silentAfterMinutes: number }

/** Since when the silence of a station is an alarm, by its limit; since it was added if it has never sent for a day. */
export const silenceAlarmSince = ({ lastVehicleTime, addedAt, silentAfterMinutes }: Sender, now: Date): Date | null => {
  if (lastVehicleTime) return silentSince(lastVehicleTime, silentAfterMinutes, now)
  return now.getTime() - addedAt.getTime() >= FIRST_VEHICLE_MS ? addedAt : null
}

/** Whether a station is available: its last vehicle passed at most its limit of silence ago. False without a vehicle. */
export const isAvailable = (lastVehicleTime: Date | string | null, limitMinutes: number, now: Date): boolean =>
  lastVehicleTime !== null && silentSince(new Date(lastVehicleTime), limitMinutes, now) === null

/** Lane numbers: 1 up to the largest lane count of the locations. */
export const laneOptions = (locations: readonly { lanes: readonly unknown[] }[]): number[] => {
  const lanes = Math.max(0, ...locations.map((location) => location.lanes.length))
  return Array.from({ length: lanes }, (_, index) => index + 1)
}
