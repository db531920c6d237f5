import { type Comparison, type Contender, isQuick, isRequested, type Table } from './bench.ts'

/** Runs the contenders in turn for some rounds. Returns the medians of their speeds and their ratios. */
export async function compare({ unit, rounds, prepare }: Comparison): Promise<Table> {
  const { contenders: all, notes, clear } = await prepare()
  const contenders = selectContenders(all)
  try {
    const speeds = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
    // The first round warms up.
    for (let round = 0; round <= (isQuick ? Math.min(2, rounds) : rounds); round++) {
      for (const { name, before, run } of contenders) {
        await before?.()
        const start = performance.now()
        const units = await run()
        if (round > 0) speeds.get(name)?.push((units / (performance.now() - start)) * 1000)
      }
    }
    const medians = new Map(contenders.map(({ name }) => [name, median(speeds.get(name) ?? [])]))
    const rows = contenders.map(({ name, against = contenders[0]?.name ?? name }) => {
      const speed = medians.get(name) ?? Number.NaN
      const ratio = speed / (medians.get(against) ?? Number.NaN)
      return [name, speed.toFixed(speed < 100 ? 1 : 0), (1000 / speed).toFixed(2), ratio.toFixed(2)]
    })
    return { head: ['', `${unit}/s`, `ms per ${unit.replace(/s$/, '')}`, 'ratio'], rows, notes: notes?.() ?? [] }
  } finally {
    await clear()
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? (sorted[middle] ?? Number.NaN) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** With BENCH_ONLY only contenders with matching names, and their baselines. */
function selectContenders(all: Contender[]): Contender[] {
  const baselines = new Set(all.filter(({ name }) => isRequested(name)).map(({ against = all[0]?.name }) => against))
  return all.filter(({ name }) => isRequested(name) || baselines.has(name))
}
