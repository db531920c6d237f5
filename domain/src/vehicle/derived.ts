import type { AccuracyClass } from '@rogatka/contract/locations.ts'

/** Station data needed for derived values. Speed limits in km/h, distances in metres. */
export type Station = {
  id: number
  speedLimit: number | null
  /** For vehicles over 3.5 t, buses and vehicles with a trailer; for buses see vehicle/speed.ts. */
  speedLimitHeavy: number | null
  distanceToSign: number | null
  distanceToCheckpoint: number | null
  lanes: { laneNumber: number; accuracyClass: AccuracyClass | null }[]
}

export type DerivedAxle = {
  /** Number of axles in its group: 1 single, 2 tandem, 3 tridem. */
  type: number
  leftWeight: number | null
  rightWeight: number | null
  /** kg */
  totalLoad: number
  /** cm to the previous axle, 0 for the first */
  gap: number
  /** kg; null where the law sets none for this axle alone */
  limit: number | null
  /** percent over the limit, one decimal; 0 within it */
  overload: number
}

export type DerivedGroup = {
  /** Numbers of its axles, from 1. */
  axles: number[]
  totalLoad: number
  limit: number | null
  overload: number
}

/** Derived values of a measurement, as stored. Loads in kg, lengths in cm, percents with one decimal. */
export type DerivedVehicle = {
  id: number
  plateLpr: string | null
  /** 0: not classified ("lack") */
  ctg8p1: number
  ctg323: number | null
  /** Null without a scale. */
  totalLoad: number | null
  limitTotalLoad: number | null
  numberOfAxles: number | null
  axles: DerivedAxle[]
  groups: DerivedGroup[]
  accuracyClass: AccuracyClass | null
  overloadSA: number | null
  overloadMA: number | null
  overloadTL: number | null
  speedLimit: number | null
  limitHeight: number | null
  limitLength: number | null
  /** Bit set, see vehicle/violations.ts. */
  violations: number
  checkpointTime: Date | null
  plateVmsReadablePointAt: Date | null
  /** Ranges of statistics/ranges.ts. */
  speedRange: number
  overspeedRange: number
}
