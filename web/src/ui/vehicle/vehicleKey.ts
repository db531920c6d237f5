import type { WireVehicle } from '@rogatka/contract/vehicle.ts'

/** Identifies a vehicle on a screen. Id and time, because a station that is reset after a repair reuses ids. */
export const vehicleKey = ({ id, createdAt }: Pick<WireVehicle, 'id' | 'createdAt'>): string => `${id}@${createdAt}`
