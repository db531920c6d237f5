/*
 * Sample for calibration: tractors with a three-axle semi-trailer, whose first-axle load depends little on the cargo
 * (docs/domain.md, Calibration from traffic). Loads in kg, spacings in cm, speeds in km/h; bounds are inclusive except
 * that of the imbalance.
 */

export const SAMPLE = {
  ctg323: 5,
  axles: 5,
  /** Between axles 1-2, 2-3, 3-4, 4-5: single, single, tridem. */
  gaps: [
    [280, 450],
    [360, 860],
    [110, 150],
    [110, 150],
  ],
  speed: [60, 100],
  totalLoad: [12_000, 60_000],
  firstAxle: [3_500, 10_500],
  /** Maximum imbalance of the first axle's wheels, percent, exclusive. */
  imbalance: 40,
} as const

export type WeighedVehicle = {
  ctg323: number | null
  speed: number | null
  totalLoad: number | null
  overlane: boolean
  /** Spacing to the previous axle; 0 for the first. */
  gaps: readonly number[]
  /** Wheels of the first axle. */
  leftWeight: number | null
  rightWeight: number | null
}

const within = (value: number | null | undefined, [from, to]: readonly [number, number]): boolean =>
  value != null && value >= from && value <= to

/** Whether the vehicle belongs to the calibration sample. */
export function isInSample({
  ctg323,
  speed,
  totalLoad,
  overlane,
  gaps,
  leftWeight,
  rightWeight,
}: WeighedVehicle): boolean {
  if (ctg323 !== SAMPLE.ctg323 || overlane || leftWeight === null || rightWeight === null) return false
  const [light, heavy] = [Math.min(leftWeight, rightWeight), Math.max(leftWeight, rightWeight)]
  return (
    gaps.length === SAMPLE.axles &&
    SAMPLE.gaps.every((bounds, index) => within(gaps[index + 1], bounds)) &&
    within(speed, SAMPLE.speed) &&
    within(totalLoad, SAMPLE.totalLoad) &&
    within(light + heavy, SAMPLE.firstAxle) &&
    100 * (heavy - light) < SAMPLE.imbalance * heavy
  )
}
