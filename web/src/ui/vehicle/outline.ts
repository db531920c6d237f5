import { TYPICAL_GAP_CM } from './axleLayout.ts'

/** cm from the front to the first axle, where the length leaves so much: lorries and buses sit before or on it. */
const FRONT_OVERHANG_CM = 140
/** px at least between the drawing and its right edge. */
const MARGIN = 4

type Measured = {
  /** cm at equal distances, from front to rear. */
  samples: readonly number[]
  /** cm; null: not measured. */
  length: number | null
  /** cm to the axle before; the first is ignored. */
  gaps: readonly number[]
}

type OutlineLayout = { left: number; width: number; xs: readonly number[] }

/**
 * The points of the outline, px from the left and cm above the road. Over the axles it is as long as they stand apart in
 * the drawing, so that each part of it stands above its axle; what is before and behind is compressed where it does not fit.
 */
export function outlinePoints(
  { samples, length, gaps }: Measured,
  { left, width, xs }: OutlineLayout,
): [x: number, cm: number][] {
  const right = width - MARGIN
  const steps = gaps.slice(1, xs.length).map((gap) => (gap > 0 ? gap : TYPICAL_GAP_CM))
  const span = steps.reduce((sum, step) => sum + step, 0)
  const first = xs[0]
  const last = xs.at(-1)
  // Without axles to hold it, or with more than one row of them, it takes the whole width.
  const isHeld = first !== undefined && last !== undefined && span > 0 && xs.length === gaps.length
  const place = (): ((part: number) => number) => {
    if (!isHeld) return (part) => left + part * (right - left)
    const whole = Math.max(length ?? 0, span + 2)
    const front = Math.min(FRONT_OVERHANG_CM, (whole - span) / 2)
    const rear = whole - span - front
    const scale = (last - first) / span
    const [before, behind] = [Math.min(scale, (first - left) / front), Math.min(scale, (right - last) / rear)]
    return (part) => {
      const cm = part * whole - front
      if (cm < 0) return first + cm * before
      return cm > span ? last + (cm - span) * behind : first + cm * scale
    }
  }
  const x = place()
  return samples.map((cm, at) => [x(at / Math.max(1, samples.length - 1)), cm])
}
