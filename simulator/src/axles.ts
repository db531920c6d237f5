import type { Layout } from './kinds.ts'
import type { Random } from './random.ts'

/** Normal distribution with bounds, in m. */
type Spacing = readonly [mean: number, deviation: number, from: number, to: number]

const GROUPED: Spacing = [1.31, 0.02, 1.2, 1.38]
const COUPLED: Spacing = [3.74, 0.17, 3.2, 4.5]
const THREE_AXLE_TRACTOR: readonly Spacing[] = [
  [2.95, 0.12, 2.6, 3.3],
  [1.36, 0.02, 1.3, 1.4],
]

/**
 * Axle spacings from front to rear. Means and bounds of 113, 11, 12, 112, cars, vans and coaches from
 * docs/domain.md; the others from common chassis drawings.
 */
const SPACINGS: Record<Layout, readonly Spacing[]> = {
  '11m': [[1.45, 0.06, 1.3, 1.65]],
  '11c': [[2.65, 0.1, 2.4, 2.9]],
  '11v': [[3.6, 0.3, 3, 4.3]],
  '111t': [
    [2.75, 0.15, 2.4, 3.2],
    [4.7, 0.5, 3.6, 5.8],
  ],
  '112t': [
    [3, 0.3, 2.5, 4],
    [4.8, 0.4, 3.9, 5.8],
    [0.8, 0.03, 0.7, 0.9],
  ],
  '11b': [[6.1, 0.35, 5.5, 7]],
  '12b': [
    [6.6, 0.3, 5.8, 7.2],
    [1.4, 0.03, 1.32, 1.5],
  ],
  '11': [[5.3, 0.7, 3.6, 7.2]],
  '12': [
    [5.7, 0.4, 4.4, 6.6],
    [1.36, 0.03, 1.28, 1.45],
  ],
  '22': [
    [1.75, 0.03, 1.68, 1.8],
    [4.1, 0.35, 3.2, 5],
    [1.37, 0.03, 1.3, 1.45],
  ],
  '111': [COUPLED, [7, 0.6, 5.5, 8.5]],
  '112': [COUPLED, [6.8, 0.6, 5, 8.4], GROUPED],
  '113': [COUPLED, [5.67, 0.55, 3.6, 8.6], GROUPED, GROUPED],
  '122': [...THREE_AXLE_TRACTOR, [6.4, 0.5, 5, 7.8], GROUPED],
  '123': [...THREE_AXLE_TRACTOR, [5.4, 0.4, 4.2, 6.8], GROUPED, GROUPED],
  '112r': [[5, 0.3, 4.2, 6], [5.6, 0.4, 4.6, 6.6], GROUPED],
  '1111': [
    [5.3, 0.3, 4.2, 6],
    [4.9, 0.3, 4, 5.6],
    [5.3, 0.4, 4, 6],
  ],
  '1211': [
    [4.8, 0.25, 4, 5.4],
    [1.36, 0.03, 1.28, 1.45],
    [4.8, 0.3, 4, 5.4],
    [5.2, 0.4, 4, 5.8],
  ],
}

/** Random axle spacings of a vehicle, in cm, front to rear: one fewer than axles. */
export const gapsOf = (layout: Layout, random: Random): number[] =>
  SPACINGS[layout].map(([mean, deviation, from, to]) =>
    Math.round(100 * Math.min(to, Math.max(from, random.normal(mean, deviation)))),
  )
