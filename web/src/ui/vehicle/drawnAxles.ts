import type { LimitStatus } from './Gauge.tsx'
import type { Outline } from './HeightOutline.tsx'

/** One axle as it is shown; a load of null was not weighed. */
export type DrawnAxle = {
  /** From 1, the first at the front. */
  number: number
  /** cm to the axle before; 0: the first, or not measured. */
  gap: number
  load: number | null
  limit: number | null
  left: number | null
  right: number | null
  verdict: LimitStatus
  /** How much over the limit, in words ("+9,2 %"). */
  excess: string | null
  /** Short mark of an axle of a kind that has no own drawing. */
  mark: string | null
}

export type DrawnGroup = {
  /** Numbers of its axles, from 1. */
  axles: readonly number[]
  /** Sum, limit and kind in words. */
  text: string
  verdict: LimitStatus
}

type AxleTexts = {
  title: string
  gap: string
  axle: string
  /** Before the numbers of several. */
  axles: string
  load: string
  limit: string
  wheels: string
  group: string
  over: string
  tolerance: string
}

export type AxleDrawingProps = {
  category: number | null
  axles: readonly DrawnAxle[]
  groups: readonly DrawnGroup[]
  /** Number of the trailer's first axle, from 1; null: none. */
  trailer: number | null
  /** Null: no scanner saw the vehicle. */
  outline: Outline | null
  texts: AxleTexts
  /** kg as the screen shows it. */
  tonnes: (kg: number) => string
  /** cm as the screen shows it. */
  metres: (cm: number) => string
}
