import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Bench, isQuick, type Table } from './bench.ts'
import { compare } from './compare.ts'
import { formatTable, sectionOf, writeSection } from './document.ts'

/*
 * Benchmarks, as ratios. Each measures its subject and a baseline in turn, in the same run on the same machine, so that
 * ratios are comparable between machines. It prints its tables and writes its section of docs/benchmarks.md.
 *
 *   npm run bench              all of them, with less data
 *   npm run bench -- <name>    one in full
 *   npm run bench -- list
 *
 * --vehicles 100000000   rows of the archive (BENCH_VEHICLES)
 * --skew 0.6             share of them at the last of 40 stations (BENCH_SKEW)
 *
 * BENCH_ONLY measures only what has matching names: contenders of a comparison, parts of `live` and `memory`, days
 * of `alarms`.
 * BENCH_DATA_DIR keeps the archive in a folder, BENCH_SMALL_DATA_DIR that of a tenth, with which `growth` compares it.
 */

const QUICK = { BENCH_QUICK: '1', BENCH_VEHICLES: '400000', BENCH_ROWS: '20000' }

const names = globSync('*.bench.ts', { cwd: import.meta.dirname })
  .map((file) => basename(file, '.bench.ts'))
  .sort()
const load = async (name: string): Promise<Bench> => (await import(join(import.meta.dirname, `${name}.bench.ts`))).bench

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { vehicles: { type: 'string' }, skew: { type: 'string' } },
})
// Benchmarks read them when they are imported.
if (values.vehicles) process.env.BENCH_VEHICLES = values.vehicles
if (values.skew) process.env.BENCH_SKEW = values.skew
const requested = positionals[0]
if (requested === undefined) runAll()
else if (names.includes(requested)) await runOne(requested)
else {
  if (requested !== 'list') console.error(`Benchmark ${requested} not found.`)
  for (const name of names) console.log(`${name.padEnd(12)} ${(await load(name)).summary}`)
  process.exitCode = requested === 'list' ? 0 : 1
}

async function runOne(name: string) {
  const bench = await load(name)
  console.log(`\n${name}: ${bench.summary}`)
  const tables: Table[] = []
  for await (const table of 'measure' in bench ? await bench.measure() : [await compare(bench)]) {
    console.log(formatTable(table))
    tables.push(table)
  }
  // With BENCH_ONLY tables are incomplete, so printed but not written to the document.
  if (process.env.BENCH_ONLY) process.exit()
  const section = values.vehicles ? `${name} of ${Number(values.vehicles).toLocaleString('en')}` : name
  await writeSection(section, sectionOf(section, bench, tables, isQuick))
  process.exit()
}

/** Runs each in its own process, so that none inherits memory of another. */
function runAll() {
  for (const name of names) {
    const { status } = spawnSync(process.execPath, ['--expose-gc', join(import.meta.dirname, 'main.ts'), name], {
      stdio: 'inherit',
      env: { ...QUICK, ...process.env },
    })
    if (status !== 0) process.exitCode = 1
  }
}
