/** Steps that a scale may have, times a power of ten. */
const STEPS = [1, 2, 4, 5, 10]
/** Ticks above zero. */
const MAX_TICKS = 4

/** A scale from 0 to at least `max`, with at most four ticks above zero at round numbers. */
export function scaleOf(max: number): { top: number; ticks: number[] } {
  if (max <= 0) return { top: 1, ticks: [0] }
  const rough = max / MAX_TICKS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, power * (STEPS.find((factor) => factor * power >= rough) ?? 10))
  const count = Math.ceil(max / step)
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, tick) => tick * step) }
}
