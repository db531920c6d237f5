import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/*
 * The whole test: types, lint, then the tests of every floor, then the browser.
 * A failure does not stop what comes after it. The last line sums up.
 */

type Count = { passed: number; failed: number }
type Step = { name: string; runs: string[][]; env?: NodeJS.ProcessEnv; count: (exitCode: number) => Promise<Count> }

const root = resolve(import.meta.dirname, '../..')
const module = (path: string) => join(root, 'node_modules', path)
const results = await mkdtemp(join(tmpdir(), 'rogatka-test-'))
const vitestFile = join(results, 'vitest.json')
const playwrightFile = join(results, 'playwright.json')

const wholeStep = async (exitCode: number): Promise<Count> =>
  exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }

const steps: Step[] = [
  {
    name: 'types',
    runs: ['.', 'web', 'e2e'].map((project) => [module('typescript/bin/tsc'), '--noEmit', '-p', project]),
    count: wholeStep,
  },
  { name: 'lint', runs: [[module('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']], count: wholeStep },
  {
    name: 'tests of the floors',
    runs: [
      [module('vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestFile}`],
    ],
    count: (exitCode) => counted(exitCode, vitestFile, vitestCount),
  },
  {
    name: 'tests in the browser',
    runs: [[module('@playwright/test/cli.js'), 'test', '-c', 'e2e', '--reporter=list,json']],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightFile },
    count: (exitCode) => counted(exitCode, playwrightFile, playwrightCount),
  },
]

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

/** A file that does not even load has no tests to count: it counts as one that failed. */
const vitestCount = (report: VitestReport): Count => ({
  passed: report.numPassedTests,
  failed:
    report.numFailedTests +
    report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
      .length,
})

type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number } }

const playwrightCount = ({ stats }: PlaywrightReport): Count => ({
  passed: stats.expected + stats.flaky,
  failed: stats.unexpected,
})

/** A run that failed without a failed test (it broke before or after them) counts as one failure more. */
async function counted<Report>(exitCode: number, file: string, count: (report: Report) => Count): Promise<Count> {
  const report = await readFile(file, 'utf8').catch(() => null)
  const { passed, failed } = report === null ? { passed: 0, failed: 0 } : count(JSON.parse(report))
  return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed }
}

let running: ChildProcess | null = null
let interrupted = false

async function runAll({ runs, env }: Step): Promise<number> {
  let worst = 0
  for (const args of runs) worst = Math.max(worst, await run(args, env))
  return worst
}

function run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return new Promise((done) => {
    const path = `${dirname(process.execPath)}:${join(root, 'node_modules/.bin')}:${process.env.PATH}`
    running = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, PATH: path, ...env },
    })
    running.on('error', (error) => {
      console.error(error.message)
      done(1)
    })
    running.on('exit', (code) => done(code ?? 1))
  })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true
    running?.kill(signal)
  })
}

const total: Count = { passed: 0, failed: 0 }
for (const step of steps) {
  if (interrupted) break
  const start = Date.now()
  console.log(`\n— ${step.name}`)
  const { passed, failed } = await step.count(await runAll(step))
  console.log(`— ${step.name}: ${failed === 0 ? 'good' : 'BROKEN'} after ${Math.round((Date.now() - start) / 1000)} s`)
  total.passed += passed
  total.failed += failed
}
await rm(results, { recursive: true, force: true })
if (interrupted) process.exit(130)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
