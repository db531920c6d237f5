const MS_PER_METRE_AT_1_KMH = 3_600

/** `speed` in km/h; null or 0: not measured. */
type MovingVehicle = { createdAt: Date; speed?: number | null | undefined; wrongDirection?: boolean | null | undefined }

/**
 * Time at which the vehicle reaches a point this many metres ahead, at its measured speed; null if unknown or never.
 */
export const arrivalTime = ({ createdAt, speed, wrongDirection }: MovingVehicle, metres: number | null): Date | null =>
  metres === null || !speed || wrongDirection
    ? null
    : new Date(createdAt.getTime() + Math.round((metres * MS_PER_METRE_AT_1_KMH) / speed))
