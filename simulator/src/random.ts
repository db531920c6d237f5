import { seededRandom, type Random as UniformRandom } from '@rogatka/domain/core/random.ts'

/** Random number generator for traffic. */
export type Random = UniformRandom & {
  /** Uniform in [from, to). */
  between: (from: number, to: number) => number
  /** Uniform integer in [from, to]. */
  whole: (from: number, to: number) => number
  normal: (mean: number, deviation: number) => number
  beta: (a: number, b: number) => number
  /** A random entry, by relative weight. */
  weighted: <T>(entries: readonly (readonly [T, number])[]) => T
}

/** A 32-bit hash of a text (FNV-1a). */
export const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  // Finaliser of MurmurHash3: FNV alone hashes texts that differ in the last letter to close values.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** Gamma distribution by Marsaglia and Tsang (2000), for shapes of at least 1. */
const gamma = (shape: number, next: () => number, normal: (mean: number, deviation: number) => number): number => {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normal(0, 1)
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(next() || Number.MIN_VALUE) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}

/** Creates a generator; equal seeds give equal numbers. */
export const trafficRandom = (seed: string): Random => {
  const uniform = seededRandom(hash(seed))
  const { next, pick } = uniform
  const normal = (mean: number, deviation: number) =>
    mean + deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return {
    ...uniform,
    between: (from, to) => from + (to - from) * next(),
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    normal,
    beta: (a, b) => {
      const x = gamma(a, next, normal)
      return x / (x + gamma(b, next, normal))
    },
    weighted: (entries) => {
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [value, weight] of entries) {
        left -= weight
        if (left < 0) return value
      }
      return pick(entries)[0]
    },
  }
}
