import { TYPICAL_GAP_CM } from './axleLayout.ts'

/** Front overhang in cm, if the vehicle is long enough: the first axle of lorries and buses is close to the front. */
const FRONT_OVERHANG_CM = 140
/** Minimum distance to the right edge, px. */
const MARGIN = 4

type HeightProfile = {
  /** cm at equal distances, front to rear. */
  samples: readonly number[]
  /** cm; null: not measured. */
  length: number | null
  /** Spacing to the previous axle, cm; the first is ignored. */
  gaps: readonly number[]
}

type OutlineLayout = { left: number; width: number; xs: readonly number[] }

/**
 * Points of the height profile, px from the left and cm above the road. Between the first and the last axle it has the
 * scale of the axle drawing, so that both match; the overhangs are compressed if they do not fit.
 */
export function outlinePoints(
  { samples, length, gaps }: HeightProfile,
  { left, width, xs }: OutlineLayout,
): [x: number, cm: number][] {
  const right = width - MARGIN
  const steps = gaps.slice(1, xs.length).map((gap) => (gap > 0 ? gap : TYPICAL_GAP_CM))
  const span = steps.reduce((sum, step) => sum + step, 0)
  const first = xs[0]
  const last = xs.at(-1)
  // Without axles, or with several rows of them, the profile takes the whole width.
  const hasAxles = first !== undefined && last !== undefined && span > 0 && xs.length === gaps.length
  const createScale = (): ((part: number) => number) => {
    if (!hasAxles) return (part) => left + part * (right - left)
    const totalLength = Math.max(length ?? 0, span + 2)
    const front = Math.min(FRONT_OVERHANG_CM, (totalLength - span) / 2)
    const rear = totalLength - span - front
    const scale = (last - first) / span
    const [before, behind] = [Math.min(scale, (first - left) / front), Math.min(scale, (right - last) / rear)]
    return (part) => {
      const cm = part * totalLength - front
      if (cm < 0) return first + cm * before
      return cm > span ? last + (cm - span) * behind : first + cm * scale
    }
  }
  const x = createScale()
  return samples.map((cm, at) => [x(at / Math.max(1, samples.length - 1)), cm])
}
