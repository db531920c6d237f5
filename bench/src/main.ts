import { globSync } from 'node:fs'
import { basename, join } from 'node:path'

/*
 * What things cost, as ratios: `npm run bench -- <name>`. A bench measures its subject and a baseline in turn,
 * in the same run on the same machine, so that its number means the same on every machine.
 */

/**
 * One way of doing the same work: `run` answers how many units it did. `against`: the name of what it is compared with;
 * without it that is the first of all.
 */
export type Contender = { name: string; against?: string; run: () => Promise<number> }
export type Bench = {
  summary: string
  /** What `run` counts. */
  unit: string
  rounds: number
  /** Prepares and answers the contenders, the baseline first, and how to clear up after them. */
  prepare: () => Promise<{ contenders: Contender[]; clear: () => Promise<void> }>
}

const benches = globSync('*.bench.ts', { cwd: import.meta.dirname }).sort()
const nameOf = (file: string) => basename(file, '.bench.ts')
const load = async (file: string): Promise<Bench> => (await import(join(import.meta.dirname, file))).bench

const wanted = process.argv[2]
const file = benches.find((one) => nameOf(one) === wanted)
if (file) await measure(await load(file))
else await list()

async function list() {
  if (wanted) console.error(`There is no bench ${wanted}.`)
  for (const one of benches) console.log(`${nameOf(one).padEnd(12)} ${(await load(one)).summary}`)
  process.exitCode = wanted ? 1 : 0
}

async function measure({ summary, unit, rounds, prepare }: Bench) {
  console.log(summary)
  const { contenders, clear } = await prepare()
  try {
    const speeds = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
    // The first round warms up. The contenders take turns, so that a slow minute of the machine hits them alike.
    for (let round = 0; round <= rounds; round++) {
      for (const { name, run } of contenders) {
        const start = performance.now()
        const units = await run()
        if (round > 0) speeds.get(name)?.push((units / (performance.now() - start)) * 1000)
      }
    }
    const medians = new Map(contenders.map(({ name }) => [name, median(speeds.get(name) ?? [])]))
    for (const { name, against = contenders[0]?.name ?? name } of contenders) {
      const speed = medians.get(name) ?? Number.NaN
      const ratio = speed / (medians.get(against) ?? Number.NaN)
      const shown = speed.toFixed(speed < 100 ? 1 : 0).padStart(9)
      console.log(
        `${name.padEnd(44)} ${shown} ${unit}/s ${(1000 / speed).toFixed(2).padStart(9)} ms  ${ratio.toFixed(2)}`,
      )
    }
  } finally {
    await clear()
  }
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? (sorted[middle] ?? Number.NaN) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
