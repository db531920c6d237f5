import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { onTestFinished } from 'vitest'
import type { Release } from './releases.ts'

const ROOT = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const git = async (...args: string[]) => (await run('git', args, { cwd: ROOT })).stdout.trim()

/**
 * Serves with all of a release but its watch of the schema, which ends it within 5 s after a newer version has
 * migrated: so it is seen whether its statements work on the newer schema.
 */
const SERVER = `
import { createApp } from './api/src/app.ts'
import { readConfig } from './api/src/config.ts'
import { connect } from './api/src/core/database.ts'
import { preparePartitions } from './api/src/vehicle/maintenance.ts'

const config = readConfig(process.env)
const db = connect(config.databaseUrl, config.connections)
await preparePartitions(db, new Date(), config.partitions)
const app = await createApp(config, db)
await app.listen()
console.log(await app.api.http.listen({ host: config.host, port: 0 }))
process.on('SIGTERM', async () => {
  await app.close()
  await db.end(1_000)
  process.exit(0)
})
`

/** The commit of a release: its tag, or where there is none the last one before the next migration. Undefined in a shallow clone. */
async function commitOf({ version, last }: Release): Promise<string | undefined> {
  const tag = await git('rev-parse', '--verify', '--quiet', `v${version}^{commit}`).catch(() => '')
  if (tag) return tag
  const later = (await readdir(join(ROOT, 'api/migrations'))).sort().find((name) => name > `${last}.sql`)
  if (!later) return undefined
  const added = await git('log', '--diff-filter=A', '--format=%H', '--', `api/migrations/${later}`).catch(() => '')
  const first = added.split('\n').at(-1)
  return first ? git('rev-parse', '--verify', '--quiet', `${first}^`).catch(() => undefined) : undefined
}

/** Puts the code of a release into a temporary folder, with the packages that are installed; undefined: git does not have it. */
export async function checkOutRelease(release: Release): Promise<string | undefined> {
  const commit = await commitOf(release)
  if (!commit) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-released-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const archive = join(folder, 'released.tar')
  await git('archive', `--output=${archive}`, commit, 'api', 'contract', 'domain', 'package.json')
  await run('tar', ['-xf', archive, '-C', folder])
  const packages = join(folder, 'node_modules')
  await mkdir(join(packages, '@rogatka'), { recursive: true })
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== '@rogatka' && !name.startsWith('.'))
      await symlink(join(ROOT, 'node_modules', name), join(packages, name))
  for (const name of ['contract', 'domain']) await symlink(join(folder, name), join(packages, '@rogatka', name))
  await writeFile(join(folder, 'serve.ts'), SERVER)
  return folder
}

/** Starts the portal of a checked-out release on a database; it is stopped when the test ends. */
export async function startReleased(folder: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [join(folder, 'serve.ts')], {
    env: { ...process.env, DEMO: 'false', LOG_LEVEL: 'warn', HOST: '127.0.0.1', ...env },
  })
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  let log = ''
  child.stderr.on('data', (data) => (log += data))
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      log += data
      const [url] = /http:\/\/\S+/.exec(log) ?? []
      if (url) resolve(url)
    })
    child.once('exit', (code) =>
      reject(new Error(`The released portal has not started (${code})\n${log.slice(-2_000)}`)),
    )
  })
  return {
    /** Reads an address with a token, or sends JSON to it. */
    call: async (path: string, token?: string, json?: unknown) => {
      const headers = new Headers({ 'content-type': 'application/json' })
      if (token) headers.set('authorization', `Bearer ${token}`)
      const sent = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
      const response = await fetch(address + API_BASE + path, { headers, ...sent })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    log: () => log,
  }
}
