import { type Random as EvenRandom, seededRandom } from '@rogatka/domain/core/random.ts'

/** Random numbers for the data of benchmarks. */
export type Random = EvenRandom & {
  /** Whole and about normal. */
  normal: (mean: number, deviation: number) => number
}

/** Random numbers for the data of benchmarks: equal seeds give equal data. */
export function benchRandom(seed: number): Random {
  const even = seededRandom(seed)
  const { next } = even
  return {
    ...even,
    // The sum of four even draws: the data of the published figures.
    normal: (mean, deviation) => Math.round(mean + (next() + next() + next() + next() - 2) * 1.732 * deviation),
  }
}
