import { plant } from './planted.ts'
import type { Feature } from './scenario.ts'

/*
 * Runs seeds in a process of its own, as `main.ts` starts it: the arguments are JSON, each line of the output is the run of
 * a seed.
 */

/** `fault`: planted in the portal's code. `isTwice`: each seed runs twice, to compare the hashes. */
export type WorkerTask = {
  /** Address of the template database. */
  template: string
  seeds: { from: number; to: number; step: number }
  fault: string | null
  /** Seeds whose history lacks it are left out. */
  feature: Feature | null
  isTraced: boolean
  isTwice: boolean
  /** Whether it ends with the first seed that fails. */
  stopsAtFailure: boolean
}
export type WorkerLine = {
  seed: number
  digest: string
  violations: string[]
  virtualMs: number
  trace: readonly string[]
}

const task = JSON.parse(process.argv[2] ?? '{}') as WorkerTask
if (task.fault) plant(task.fault)

// After the fault has been planted.
const { createBase } = await import('./base.ts')
const { simulateNode } = await import('./node-clock.ts')
const { runSeed } = await import('./run.ts')
const { featuresOf } = await import('./scenario.ts')

simulateNode()
const base = await createBase(task.template, `faults_${process.pid}`)
try {
  // What happens once in a process belongs to no history.
  await runSeed(base, 0)
  const { from, to, step } = task.seeds
  for (let seed = from; seed <= to; seed += step) {
    if (task.feature && !featuresOf(seed)[task.feature]) continue
    const { trace, ...run } = await runSeed(base, seed, task.isTraced)
    const again = task.isTwice ? await runSeed(base, seed) : run
    if (again.digest !== run.digest) run.violations.push(`another history by the same seed: ${again.digest}`)
    const line: WorkerLine = { ...run, trace }
    process.stdout.write(`${JSON.stringify(line)}\n`)
    if (task.stopsAtFailure && run.violations.length > 0) break
  }
  await base.clean()
  await base.assertClean()
} finally {
  await base.end()
}
process.exit(0)
