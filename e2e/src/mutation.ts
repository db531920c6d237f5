import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/*
 * Mutation tests with Stryker: `npm run mutation -- domain`, `-- domain/vehicle`, or only some files of an area:
 * `-- domain/vehicle domain/src/vehicle/limits.ts`. Each area runs only its own tests. The reports are in mutation/<area>;
 * the last lines are rows for docs/mutation-testing.md. `CONCURRENCY=1` leaves the other cores to other work.
 */

/** Files to mutate, and the tests that run on them. */
type Area = { mutate: string[]; tests: string[] }

process.chdir(resolve(import.meta.dirname, '../..'))

/** What lays out charts for ECharts: colours, sizes and captions. */
const DRAWING = [
  'domain/src/core/chart/!(ticks).ts',
  'domain/src/{calibration,statistics}/chart.ts',
  'domain/src/statistics/{colours,seriesOptions}.ts',
]

const domainArea = (feature: string): Area => ({
  mutate: [`domain/src/${feature}/**/*.ts`, ...DRAWING.map((pattern) => `!${pattern}`)],
  tests: [`domain/src/${feature}/**/*.test.ts`],
})

const areas: Record<string, Area> = {
  ...Object.fromEntries(readdirSync('domain/src').map((feature) => [`domain/${feature}`, domainArea(feature)])),
  charts: { mutate: DRAWING, tests: ['domain/src/{core,calibration,statistics}/**/*.test.ts'] },
  'api/roles': { mutate: ['api/src/roles/*.ts'], tests: ['api/src/{roles,users}/*.test.ts'] },
  // Passwords and tokens are in api/session.
  'api/users': {
    mutate: ['api/src/users/!(credential-queries).ts'],
    tests: ['api/src/{users,preferences}/*.test.ts'],
  },
  'api/ingest': {
    // Limits, duplicates, differences and rejections; overloads are derived in domain/ingest.
    mutate: ['api/src/ingest/{batch,digest,station,storable-json,validate}.ts', 'api/src/locations/limits.ts'],
    tests: ['api/src/ingest/{duplicates,ingest,limits,quarantine}.test.ts'],
  },
  'api/session': {
    mutate: [
      'api/src/session/*.ts',
      'api/src/users/credential-queries.ts',
      'api/src/core/{session-queries,passwords}.ts',
    ],
    tests: ['api/src/session/*.test.ts'],
  },
  'api/sessions': { mutate: ['api/src/core/sessions.ts'], tests: ['api/src/core/sessions.test.ts'] },
  'api/access': {
    mutate: ['api/src/core/route.ts'],
    tests: ['api/src/access.test.ts', 'api/src/core/http.test.ts'],
  },
  'api/anonymity': {
    mutate: ['api/src/core/anonymity.ts'],
    // api/src/anonymity.test.ts, which creates a hundred files, would take a minute for each mutant.
    tests: ['api/src/{core,vehicle}/anonymity.test.ts'],
  },
  // The access trail: its lines, what of a response is recorded, and the files and images that belong to a visit.
  'api/trail': {
    mutate: ['api/src/core/{look,trail,trail-images,trail-macs,trail-partitions,trail-queries}.ts'],
    tests: ['api/src/trail.test.ts'],
  },
  'api/trail-visits': {
    mutate: ['api/src/core/{trail-visit-lines,trail-visits}.ts'],
    tests: ['api/src/trail.test.ts', 'api/src/current/visits.test.ts'],
  },
  'api/purpose': {
    mutate: ['api/src/core/purpose.ts'],
    tests: ['api/src/trail.test.ts', 'api/src/access.test.ts'],
  },
  // Searches by plate: who may have them, and what of them is kept or logged.
  'api/plate-searches': {
    mutate: ['api/src/core/{plate-search-handlers,plate-search-queries,plate-searches,log-redaction}.ts'],
    tests: ['api/src/core/plate-searches.test.ts'],
  },
  'api/retention': {
    mutate: ['api/src/vehicle/{maintenance,image-paths}.ts'],
    tests: ['api/src/vehicle/maintenance.test.ts'],
  },
  'api/wanted': { mutate: ['api/src/wanted/{owner,search}.ts'], tests: ['api/src/wanted/{entries,wanted}.test.ts'] },
  'api/calibration': {
    mutate: ['api/src/calibration/{lanes,report-figures}.ts'],
    tests: ['api/src/calibration/*.test.ts'],
  },
  'api/downtime': { mutate: ['api/src/tickets/month.ts'], tests: ['api/src/tickets/{tickets,report}.test.ts'] },
}

const [chosen = '', ...files] = process.argv.slice(2)
const names = Object.keys(areas).filter((name) => name === chosen || name.startsWith(`${chosen}/`))
if (names.length === 0) {
  console.error(`npm run mutation -- domain | api | ${Object.keys(areas).join(' | ')} [file …]`)
  process.exit(2)
}

const STRYKER = '10.1.1'

/**
 * Installs Stryker into the user's cache folder, by npm: its dependencies exclude versions of Node.js on which the portal
 * can be installed, so that it is no dependency of the portal. Returns the folder of its packages.
 */
function installStryker(): string {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'rogatka', `stryker-${STRYKER}`)
  const packages = join(folder, 'node_modules', '@stryker-mutator')
  if (existsSync(packages)) return packages
  const { vitest } = JSON.parse(readFileSync('package.json', 'utf8')).devDependencies
  const dependencies = { '@stryker-mutator/core': STRYKER, '@stryker-mutator/vitest-runner': STRYKER, vitest }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  console.log(`Installing Stryker ${STRYKER} into ${folder}`)
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    shell: true,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`Stryker could not be installed; delete ${folder} before the next try.`)
  return packages
}

type StrykerRun = { runMutationTest: () => Promise<unknown> }

const stryker = installStryker()
const { Stryker }: { Stryker: new (options: object) => StrykerRun } = await import(
  pathToFileURL(join(stryker, 'core/dist/src/index.js')).href
)

async function run(name: string, { mutate, tests }: Area) {
  await new Stryker({
    mutate: files.length > 0 ? files : [...mutate, '!**/*.test.ts', '!**/testing*.ts', '!**/*.d.ts'],
    // Other tests are left out of the sandbox: with `testFiles`, Stryker 10 activates mutants of constants too late.
    ignorePatterns: ['**/*.test.ts', '**/*.test.tsx', ...tests.map((pattern) => `!${pattern}`)],
    testRunner: 'vitest',
    plugins: [join(stryker, 'vitest-runner/dist/src/index.js')],
    // There are no project references to rewrite, and TypeScript 7 has no API to read them with.
    tsconfigFile: '',
    concurrency: Number(process.env.CONCURRENCY ?? 2),
    timeoutMS: 30_000,
    coverageAnalysis: 'perTest',
    reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
    clearTextReporter: { reportTests: false },
    htmlReporter: { fileName: `mutation/${name}/index.html` },
    jsonReporter: { fileName: reportOf(name) },
    allowConsoleColors: false,
  }).runMutationTest()
}

const reportOf = (name: string) => join('mutation', name, 'mutation.json')

type Report = { files: Record<string, { mutants: { status: string }[] }> }

/**
 * Errors, by which a mutant does not load at all, count for neither side. Timeouts are counted apart and lower the score:
 * on a busy machine they may be chance.
 */
function rowOf(name: string): string {
  const { files }: Report = JSON.parse(readFileSync(reportOf(name), 'utf8'))
  const found = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const count = (...statuses: string[]) => found.filter((status) => statuses.includes(status)).length
  const [killed, timeouts, survived] = [count('Killed'), count('Timeout'), count('Survived', 'NoCoverage')]
  const total = killed + timeouts + survived
  const score = ((100 * killed) / (total || 1)).toFixed(1)
  return `| ${name} | ${Object.keys(files).length} | ${total} | ${killed} | ${timeouts} | ${survived} | ${score} % |`
}

// Stryker kills its workers, and with them the end of the tests: their databases are stopped here.
const temporary = mkdtempSync(join(tmpdir(), 'rogatka-mutation-'))
// As root, PostgreSQL runs as another user, who must be able to enter the folder.
chmodSync(temporary, 0o755)
process.env.TMPDIR = temporary

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function stopDatabases(): void {
  const pids = globSync('**/postmaster.pid', { cwd: temporary }).map((path) =>
    Number(readFileSync(join(temporary, path), 'utf8').split('\n', 1)),
  )
  for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGQUIT')
  // A file that a database deletes meanwhile would end rmSync early.
  const deadline = Date.now() + 20_000
  while (pids.some(isRunning) && Date.now() < deadline)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 })
}

// Also when Stryker exits because of a signal, after which its workers would go on and start databases.
process.on('exit', () => {
  spawnSync('pkill', ['-KILL', '-P', String(process.pid)])
  stopDatabases()
})

for (const name of names) await run(name, areas[name] as Area)
for (const name of names) console.log(rowOf(name))
