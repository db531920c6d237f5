import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/*
 * Runs types, lint, the tests of all packages and the browser tests; `quick` skips tests that need a database or a browser,
 * `postgres 16` runs the API tests on another major version, `database` on the server of TEST_DATABASE_URL. A failure
 * does not stop later steps. The last lines list every failed test and the totals.
 */

type Count = { passed: number; failed: number; named?: string[] }
type Step = { name: string; runs: string[][]; env?: NodeJS.ProcessEnv; count: (exitCode: number) => Promise<Count> }

const root = resolve(import.meta.dirname, '../..')
const module = (path: string) => join(root, 'node_modules', path)
const results = await mkdtemp(join(tmpdir(), 'rogatka-test-'))
// Test files load the same libraries, and stations are added by commands: half of their time is compiling.
const compiled = join(root, 'node_modules/.cache/rogatka/compiled')
const vitestFile = join(results, 'vitest.json')
const unhandledErrorsFile = join(results, 'unhandled-errors.json')
const playwrightFile = join(results, 'playwright.json')

const wholeStep = async (exitCode: number): Promise<Count> =>
  exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }

/** Runs all vitest tests, or some projects of vitest.config.ts. */
const vitest = (name: string, projects: string[] = [], env: NodeJS.ProcessEnv = {}): Step => ({
  name,
  runs: [
    [
      module('vitest/vitest.mjs'),
      'run',
      ...projects.map((project) => `--project=${project}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${vitestFile}`,
      `--reporter=${join(import.meta.dirname, 'unhandled-errors.ts')}`,
    ],
  ],
  env: { ...env, UNHANDLED_ERRORS_FILE: unhandledErrorsFile },
  count: async (exitCode) => {
    const { passed, failed, named = [] } = await counted(exitCode, vitestFile, vitestCount)
    const errors: string[] = await readFile(unhandledErrorsFile, 'utf8').then(JSON.parse, () => [])
    const outside = new Set(errors.map((error) => `outside of tests: ${formatError(error)}`))
    return { passed, failed, named: [...named, ...outside] }
  },
})

const checks: Step[] = [
  {
    name: 'types',
    runs: ['.', 'web', 'e2e'].map((project) => [module('typescript/bin/tsc'), '--noEmit', '-p', project]),
    count: wholeStep,
  },
  { name: 'lint', runs: [[module('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']], count: wholeStep },
]
const browser: Step = {
  name: 'tests in the browser',
  runs: [[module('@playwright/test/cli.js'), 'test', '-c', 'e2e', '--reporter=list,json']],
  env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightFile },
  count: (exitCode) => counted(exitCode, playwrightFile, playwrightCount),
}

/**
 * Lanes of steps, which run at the same time.
 * @throws Error with a line that lists the valid arguments
 */
function lanesOf([mode, major, ...rest]: string[]): Step[][] {
  // One after the other: both at once take the whole processor, and tests run into their time limits.
  if (mode === undefined) return [[...checks, vitest('tests of the packages'), browser]]
  if (mode === 'quick' && major === undefined)
    return [checks, [vitest('tests without a database', ['packages', 'pure'])]]
  if (mode === 'postgres' && /^\d+$/.test(major ?? '') && rest.length === 0)
    return [
      [vitest(`tests of the API on PostgreSQL ${major}`, ['api'], { POSTGRES_MAJOR: major, TEST_DATABASE_URL: '' })],
    ]
  if (mode === 'database' && major === undefined) {
    if (!process.env.TEST_DATABASE_URL) throw new Error('No test ran: set TEST_DATABASE_URL to a server for them')
    return [[vitest('tests of the API on TEST_DATABASE_URL', ['api'])]]
  }
  throw new Error('npm test takes nothing, `-- quick`, `-- postgres 16` or `-- database`')
}

type VitestTest = { status: string; fullName: string; failureMessages?: string[] }
type VitestFile = { name: string; status: string; message?: string; assertionResults: VitestTest[] }
type VitestReport = { numPassedTests: number; testResults: VitestFile[] }

/** A file that cannot be loaded has no tests and counts as one failed test. */
function vitestCount({ numPassedTests, testResults }: VitestReport): Count {
  const named = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    if (status === 'failed' && assertionResults.length === 0) return [`${file}: ${formatError(message)}`]
    return assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${file} › ${fullName}: ${formatError(failureMessages?.[0])}`)
  })
  return { passed: numPassedTests, failed: named.length, named }
}

type PlaywrightTest = { status: string; results: { error?: { message?: string } }[] }
type PlaywrightSpec = { title: string; tests: PlaywrightTest[] }
type PlaywrightSuite = { title: string; specs?: PlaywrightSpec[]; suites?: PlaywrightSuite[] }
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number }
  suites: PlaywrightSuite[]
  errors: { message?: string }[]
}

/** Also counts errors outside of tests: files that cannot be loaded, global set-up and tear-down. */
const playwrightCount = ({ stats, suites, errors }: PlaywrightReport): Count => ({
  passed: stats.expected + stats.flaky,
  failed: stats.unexpected + errors.length,
  named: [...errors.map(({ message }) => formatError(message)), ...suites.flatMap(failuresOf)],
})

/** Also lists flaky tests, which passed on a retry and count as passed. */
function failuresOf({ title, specs = [], suites = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status, results }) => {
        const error = results.find(({ error }) => error !== undefined)?.error?.message
        return `${title} › ${spec.title}${status === 'flaky' ? ' (passed when tried again)' : ''}: ${formatError(error)}`
      }),
  )
  return [...own, ...suites.flatMap(failuresOf)]
}

/** Formats the first lines of an error as one line, without ANSI colours. */
const formatError = (error = 'no error message') =>
  stripVTControlCharacters(error)
    .split('\n')
    .slice(0, 8)
    .map((line) => line.trim())
    .join(' ')
    .slice(0, 400)

/** Counts a failed run without a failed test as one failure. */
async function counted<Report>(exitCode: number, file: string, count: (report: Report) => Count): Promise<Count> {
  const report = await readFile(file, 'utf8').catch(() => null)
  const counted = report === null ? { passed: 0, failed: 0 } : count(JSON.parse(report))
  const isBroken = exitCode !== 0 && counted.failed === 0
  return isBroken ? { passed: counted.passed, failed: 1 } : counted
}

/** Output of a lane. It is held until the lanes before have ended, so that lanes do not mix their lines. */
function createOutput() {
  const held: (string | Buffer)[] = []
  let isShown = false
  return {
    isShown: () => isShown,
    write: (chunk: string | Buffer): void => void (isShown ? process.stdout.write(chunk) : held.push(chunk)),
    show: (): void => {
      isShown = true
      for (const chunk of held.splice(0)) process.stdout.write(chunk)
    },
  }
}
type Output = ReturnType<typeof createOutput>

const running = new Set<ChildProcess>()
let interrupted = false

async function runAll({ runs, env }: Step, output: Output): Promise<number> {
  let maxExitCode = 0
  for (const args of runs) maxExitCode = Math.max(maxExitCode, await run(args, env, output))
  return maxExitCode
}

function run(args: string[], env: NodeJS.ProcessEnv = {}, output: Output): Promise<number> {
  return new Promise((done) => {
    const path = `${dirname(process.execPath)}:${join(root, 'node_modules/.bin')}:${process.env.PATH}`
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: output.isShown() ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      env: { NODE_COMPILE_CACHE: compiled, ...process.env, PATH: path, ...env },
    })
    running.add(child)
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', output.write)
    child.on('error', (error) => {
      output.write(`${error.message}\n`)
      done(1)
    })
    child.on('close', (code) => {
      running.delete(child)
      done(code ?? 1)
    })
  })
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupted = true
    for (const child of running) child.kill(signal)
  })
}

let lanes: Step[][] = []
try {
  lanes = lanesOf(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  process.exit(2)
}

async function runLane(steps: Step[], output: Output): Promise<Required<Count>[]> {
  const counts: Required<Count>[] = []
  for (const step of steps) {
    if (interrupted) break
    const start = Date.now()
    output.write(`\n— ${step.name}\n`)
    const { passed, failed, named = [] } = await step.count(await runAll(step, output))
    const seconds = Math.round((Date.now() - start) / 1000)
    output.write(`— ${step.name}: ${failed === 0 ? 'passed' : 'failed'} after ${seconds} s\n`)
    counts.push({ passed, failed, named: failed > 0 && named.length === 0 ? [step.name] : named })
  }
  return counts
}

const outputs = lanes.map(createOutput)
outputs[0]?.show()
const ends = lanes.map((steps, at) => runLane(steps, outputs[at] as Output))
const total = { passed: 0, failed: 0, named: [] as string[] }
for (const [at, end] of ends.entries()) {
  outputs[at]?.show()
  for (const { passed, failed, named } of await end) {
    total.passed += passed
    total.failed += failed
    total.named.push(...named)
  }
}
await rm(results, { recursive: true, force: true })
if (interrupted) process.exit(130)
for (const failure of total.named) console.log(`✗ ${failure}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
