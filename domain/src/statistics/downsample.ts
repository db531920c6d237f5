import type { ResolutionUnit, StatName } from '@rogatka/contract/options.ts'
import { periodsOf, type Resolution } from './periods.ts'

/** Merged periods, and the figures of each series in them. */
type DownsampledSeries = { resolution: Resolution; starts: Date[]; series: (number | null)[][] }

/** Coarser steps at round times. */
const ROUND_STEPS: Record<ResolutionUnit, readonly number[]> = {
  minute: [2, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 720, 1_440, 2_880, 7_200, 14_400],
  hour: [2, 3, 4, 6, 8, 12, 24, 48, 120, 240, 480, 960],
  day: [2, 5, 10, 20, 50, 100, 200, 500],
  month: [2, 3, 6, 12, 24, 60, 120, 600],
  year: [2, 5, 10, 50, 100, 1_000],
}
/** For steps that are no divisors of a round time. */
const MULTIPLES = [2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000]

/** Merges values: extremes of extremes, means of all others. Gaps are ignored. */
function mergeValues(statName: StatName, values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null)
  if (present.length === 0) return null
  if (statName.startsWith('min')) return Math.min(...present)
  if (statName.startsWith('max')) return Math.max(...present)
  return present.reduce((sum, value) => sum + value, 0) / present.length
}

/** Merges neighbouring periods until at most this many are left, for images without zoom. */
export function downsample(
  { statName, resolution, end }: { statName: StatName; resolution: Resolution; end: Date },
  starts: readonly Date[],
  series: readonly (readonly (number | null)[])[],
  maxPeriods: number,
): DownsampledSeries {
  const first = starts[0]
  if (!first || starts.length <= maxPeriods) {
    return { resolution, starts: [...starts], series: series.map((values) => [...values]) }
  }
  const coarse = findCoarserResolution(resolution, first, end, starts.length, maxPeriods)
  let next = 0
  const bounds = coarse.starts.map((start) => {
    while (start > (starts[next] ?? start)) next++
    return next
  })
  return {
    ...coarse,
    series: series.map((values) => bounds.map((from, i) => mergeValues(statName, values.slice(from, bounds[i + 1])))),
  }
}

/** The finest resolution with at most this many periods in the range. */
function findCoarserResolution({ unit, value }: Resolution, first: Date, end: Date, count: number, maxPeriods: number) {
  const steps = [...ROUND_STEPS[unit].filter((step) => step % value === 0), ...MULTIPLES.map((by) => by * value)]
  // Counting the periods of a step takes long if they are many. One unit less may fit: the first and last are partial.
  const candidates = steps.sort((a, b) => a - b).filter((step) => step / value > count / (maxPeriods + 2))
  for (const step of candidates) {
    const resolution = { unit, value: step }
    const starts = periodsOf(first, end, resolution)
    if (starts.length <= maxPeriods) return { resolution, starts }
  }
  return { resolution: { unit, value: value * count }, starts: [first] }
}
