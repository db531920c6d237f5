import type { LimitStatus } from './Gauge.tsx'
import type { Outline } from './HeightOutline.tsx'

/** One axle as displayed; load null: not weighed. */
export type DrawnAxle = {
  /** From 1, the first at the front. */
  number: number
  /** Spacing to the previous axle, cm; 0: first axle, or not measured. */
  gap: number
  load: number | null
  limit: number | null
  left: number | null
  right: number | null
  /** Not on the ground: drawn above it. */
  isLifted?: boolean
  status: LimitStatus
  /** Excess over the limit, as text ("+9,2 %"). */
  excess: string | null
  /** Short mark of an axle type without a drawing of its own. */
  mark: string | null
}

export type DrawnGroup = {
  /** Axle numbers, from 1. */
  axles: readonly number[]
  /** Sum, limit and type, as text. */
  text: string
  status: LimitStatus
}

type AxleTexts = {
  title: string
  gap: string
  axle: string
  /** Label before several axle numbers. */
  axles: string
  load: string
  /** In place of the load of a lifted axle. */
  lifted?: string
  limit: string
  /** Absent: no row for wheels. */
  wheels?: string
  group: string
  over: string
  tolerance: string
}

/** Further row of values, one for each axle. */
export type AxleLine = { name: string; values: readonly string[] }

export type AxleDrawingProps = {
  category: number | null
  axles: readonly DrawnAxle[]
  groups: readonly DrawnGroup[]
  /** Number of the trailer's first axle, from 1; null: none. */
  trailer: number | null
  /** Null: no scanner data. */
  outline: Outline | null
  texts: AxleTexts
  /** Rows above and below the loads. */
  above?: readonly AxleLine[]
  below?: readonly AxleLine[]
  /** Formats kg in the displayed unit. */
  tonnes: (kg: number) => string
  /** Formats cm in the displayed unit. */
  metres: (cm: number) => string
}
