/** Lower bounds of the ranges 2 to 11, km/h; upper bounds are exclusive, 11 has none. */
export const SPEED_STEPS = [50, 60, 70, 80, 90, 100, 110, 120, 130, 140] as const

/** Number of the highest speed range. */
export const SPEED_RANGES = SPEED_STEPS.length + 1

/** Number of the highest excess-speed range, and the width of the others in km/h. */
export const OVERSPEED_RANGES = 6
export const OVERSPEED_STEP = 10

/** A measured speed, or null; stations send 0 for unknown. */
export const measuredSpeed = (speed: number | null): number | null => (speed === 0 ? null : speed)

/**
 * km/h; slower vehicles count with this speed in the inverse-speed sum, so that a few of them do not dominate the
 * density.
 */
export const MIN_DENSITY_SPEED = 5

/** Speed range: 0 unknown, 1 below 50 km/h, then steps of 10 to 140, 11 from 140. */
export const speedRange = (speed: number | null): number => {
  const measured = measuredSpeed(speed)
  return measured === null ? 0 : 1 + SPEED_STEPS.filter((from) => measured >= from).length
}

/** Excess-speed range: 0 none or unknown, 1 up to 10 km/h, … 5 up to 50, 6 above. */
export const overspeedRange = (speed: number | null, limit: number | null): number =>
  speed === null || limit === null || speed <= limit
    ? 0
    : Math.min(OVERSPEED_RANGES, Math.ceil((speed - limit) / OVERSPEED_STEP))
