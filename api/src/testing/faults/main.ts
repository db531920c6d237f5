import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { featureOf, PLANTED } from './planted.ts'
import type { WorkerLine, WorkerTask } from './worker.ts'

/*
 * Fault simulation (docs/fault-simulation.md):
 *   npm run simulate-faults -- --seeds 10000             seeds 1 to 10,000
 *   npm run simulate-faults -- --seed 1234 --trace       one seed, with its history
 *   npm run simulate-faults -- --seeds 100 --twice       each seed twice, comparing the hashes
 *   npm run simulate-faults -- --planted                 plants each fault and looks for the first seed that finds it
 *   npm run simulate-faults -- --fault double-send --seed 96
 */

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    fault: { type: 'string' },
    planted: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
    /** Address of the template database of the tests; without it one is prepared. */
    template: { type: 'string' },
  },
})

/** Seeds in which a planted fault is looked for. */
const MAX_SEEDS_OF_FAULT = 1_000
const PROGRESS = 500

const children = new Set<ChildProcess>()

/** Runs a task in a process of its own. @throws if it ends without having run its seeds */
function run(task: WorkerTask, onLine: (line: WorkerLine) => void): Promise<void> {
  const worker = fileURLToPath(new URL('worker.ts', import.meta.url))
  const child = spawn(process.execPath, [worker, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  child.once('close', () => children.delete(child))
  createInterface({ input: child.stdout }).on('line', (text) => onLine(JSON.parse(text)))
  return new Promise((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))))
  })
}

const replayOf = (seed: number, fault: string | null) =>
  `npm run simulate-faults -- --seed ${seed}${fault ? ` --fault ${fault}` : ''} --trace`

/** Runs seeds in several processes; returns the number of those that fail. */
async function runSeeds(template: string, from: number, to: number): Promise<number> {
  const { fault = null, trace, twice } = values
  const workers = Math.min(Number(values.workers), to - from + 1)
  const digests = new Map<number, string>()
  let failed = 0
  const startedAt = performance.now()
  const onLine = ({ seed, digest, violations, trace: lines }: WorkerLine) => {
    digests.set(seed, digest)
    if (lines.length > 0) console.log(lines.join('\n'))
    if (violations.length > 0) {
      failed += 1
      console.log(`Seed ${seed} fails:\n${violations.map((it) => `  ${it}`).join('\n')}\n  ${replayOf(seed, fault)}`)
    }
    if (digests.size % PROGRESS === 0) console.log(`${digests.size} seeds, ${failed} failed`)
  }
  await Promise.all(
    Array.from({ length: workers }, (_, worker) =>
      run(
        {
          template,
          seeds: { from: from + worker, to, step: workers },
          fault,
          feature: null,
          isTraced: trace,
          isTwice: twice,
          stopsAtFailure: false,
        },
        onLine,
      ),
    ),
  )
  const all = createHash('sha256')
  for (let seed = from; seed <= to; seed++) all.update(`${digests.get(seed)}\n`)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  console.log(
    `${digests.size} seeds from ${from}, ${failed} failed, ${seconds} s, hash of all histories ${all.digest('hex').slice(0, 16)}`,
  )
  return failed
}

/** Plants each fault in turn; returns the number of those that no seed finds. */
async function findPlanted(template: string): Promise<number> {
  let missed = 0
  const names = values.fault?.split(',') ?? Object.keys(PLANTED)
  const queue = [...names]
  const work = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      let found: WorkerLine | undefined
      const from = Number(values.from)
      const seeds = { from, to: from + MAX_SEEDS_OF_FAULT - 1, step: 1 }
      await run(
        {
          template,
          seeds,
          fault: name,
          feature: featureOf(name),
          isTraced: false,
          isTwice: false,
          stopsAtFailure: true,
        },
        (line) => {
          if (line.violations.length > 0) found = line
        },
      )
      if (!found) missed += 1
      console.log(
        found ? `| ${name} | ${PLANTED[name]?.what} | ${found.seed} | ${found.violations[0]} |` : `${name}: not found`,
      )
    }
  }
  await Promise.all(Array.from({ length: Number(values.workers) }, work))
  console.log(`${names.length - missed} of ${names.length} planted faults found`)
  return missed
}

for (const name of ['seeds', 'from', 'workers', 'seed'] as const)
  if (values[name] !== undefined && !/^[1-9]\d*$/.test(values[name]))
    throw new Error(`--${name} must be a positive whole number`)

const own = values.template ? null : await (await import('../setup.ts')).startTemplateServer()
const template = values.template ?? (own?.templateUrl as string)
let failed = 1
// Otherwise the workers, and the server, would outlive the command.
process.once('SIGTERM', () => {
  for (const child of children) child.kill()
})
try {
  const from = Number(values.seed ?? values.from)
  const to = values.seed ? from : from + Number(values.seeds) - 1
  failed = values.planted ? await findPlanted(template) : await runSeeds(template, from, to)
} finally {
  await own?.stop()
}
process.exit(failed > 0 ? 1 : 0)
