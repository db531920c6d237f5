import { seededRandom, type Random as UniformRandom } from '@rogatka/domain/core/random.ts'

/** Random number generator for benchmark data. */
export type Random = UniformRandom & {
  /** Integer, approximately normal. */
  normal: (mean: number, deviation: number) => number
}

/** Creates a generator; equal seeds give equal data. */
export function benchRandom(seed: number): Random {
  const uniform = seededRandom(seed)
  const { next } = uniform
  return {
    ...uniform,
    // Sum of four uniform numbers; unchanged, as published figures were measured with these data.
    normal: (mean, deviation) => Math.round(mean + (next() + next() + next() + next() - 2) * 1.732 * deviation),
  }
}
