import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { cpus, tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { type Binaries, type Owner, ownerOf, reachableBinaries, reachableFolder } from './embedded-host.ts'

type Embedded = { url: string; stop: () => Promise<void> }

/** How often a running server is looked after. */
const WATCH_MS = 2_000

/**
 * Starts the PostgreSQL that comes with the product, in `folder`, on a free port of the loopback address,
 * and starts it again when it dies. A server left behind by a killed process is stopped first; one that still
 * serves a living process is not touched. `settings` are added to its command line, such as fsync for tests; `binaries` are
 * those of another PostgreSQL.
 * @throws when another process uses the folder
 */
export async function startEmbedded(
  folder: string,
  settings: Record<string, string> = {},
  binaries?: Binaries,
): Promise<Embedded> {
  const place = await placeOf(folder, binaries)
  if (!existsSync(place.data)) await create(place)
  if (await isRunning(place)) {
    const other = Number(await readFile(place.ownerFile, 'utf8').catch(() => '0'))
    if (other && isAlive(other)) throw new Error(`DATA_DIR: ${folder} is in use by process ${other}`)
    await stop(place)
  }
  await writeFile(place.ownerFile, String(process.pid))

  const port = await freePort()
  const start = () => launch(place, { ...defaults(), ...settings, port: String(port) })
  await start().catch(async (error) => {
    // One that a killed process was just starting came first.
    if (!(await isRunning(place))) throw error
    await stop(place)
    await start()
  })
  let watching: Promise<void> = Promise.resolve()
  const watch = setInterval(() => {
    watching = watching.then(async () => {
      if (await isRunning(place)) return
      await start().catch(() => {})
    })
  }, WATCH_MS).unref()

  return {
    url: urlOf(await passwordOf(place), port),
    stop: async () => {
      clearInterval(watch)
      await watching
      await stop(place)
    },
  }
}

/** The database of `folder` for a command beside the server: the running one, else one of its own until `stop`. */
export async function attachEmbedded(folder: string): Promise<Embedded> {
  const place = await placeOf(folder)
  if (!(await isRunning(place))) return startEmbedded(folder)
  // The fourth line of PostgreSQL's own pid file is its port.
  const port = Number((await readFile(join(place.data, 'postmaster.pid'), 'utf8')).split('\n')[3])
  return { url: urlOf(await passwordOf(place), port), stop: async () => {} }
}

type ClusterPaths = { data: string; secretFile: string; ownerFile: string; bin: Binaries; owner: Owner }

async function placeOf(folder: string, binaries?: Binaries): Promise<ClusterPaths> {
  const owner = ownerOf()
  const data = await reachableFolder(folder, owner)
  const bin = await reachableBinaries(owner, binaries)
  return { data, secretFile: `${data}.secret`, ownerFile: `${data}.owner`, bin, owner }
}

/** Makes the cluster beside its place and moves it there when it is whole: a start cut short leaves no half of one. */
async function create({ data, secretFile, bin, owner }: ClusterPaths): Promise<void> {
  const making = `${data}.making`
  await rm(making, { recursive: true, force: true })
  await mkdir(making, { recursive: true, mode: 0o700 })
  await mkdir(dirname(data), { recursive: true })
  await writeFile(secretFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (owner) for (const path of [making, secretFile]) await chown(path, owner.uid, owner.gid)
  const options = ['--username=rogatka', `--pwfile=${secretFile}`, '--auth=scram-sha-256']
  await run(bin.initdb, [`--pgdata=${making}`, '--encoding=UTF8', '--locale=C', ...options], owner)
  await rename(making, data)
}

async function launch({ data, bin, owner }: ClusterPaths, settings: Record<string, string>): Promise<void> {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`)
  const log = join(data, 'server.log')
  await run(bin.pg_ctl, ['start', '-w', '-t', '60', '-D', data, '-l', log, '-o', options.join(' ')], owner)
}

const stop = ({ data, bin, owner }: ClusterPaths) =>
  run(bin.pg_ctl, ['stop', '-w', '-t', '60', '-m', 'fast', '-D', data], owner)

/**
 * What `pg_ctl status` would tell. It is asked every other second, and to start a process for it would stop the server
 * for as long as that takes: ten milliseconds, a hundred on a busy machine.
 */
async function isRunning({ data }: ClusterPaths): Promise<boolean> {
  const file = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(file, 10)
  // After a restart of the machine the number in an old file may have become this process's own.
  return pid > 0 && pid !== process.pid && isAlive(pid)
}

const passwordOf = async ({ secretFile }: ClusterPaths) => (await readFile(secretFile, 'utf8')).trim()

const urlOf = (password: string, port: number) => `postgres://rogatka:${password}@127.0.0.1:${port}/postgres`

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function defaults(): Record<string, string> {
  const megabytes = Math.floor(Math.min(totalmem() * 0.25, 2 * 1024 ** 3) / 1024 ** 2)
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: `${megabytes}MB`,
    work_mem: '32MB',
    max_wal_size: '4GB',
    jit: 'off',
    max_parallel_workers_per_gather: cpus().length <= 2 ? '1' : '2',
    timezone: 'UTC',
    logging_collector: 'off',
    log_min_messages: 'warning',
  }
}

async function run(command: string, args: string[], owner: Owner): Promise<void> {
  // The server inherits these pipes, so it is given none to hold open.
  const child = spawn(command, args, { ...owner, stdio: 'ignore', cwd: tmpdir(), detached: true })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) throw new Error(`Embedded PostgreSQL: ${command.split(/[\\/]/).at(-1)} ended with ${code}`)
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
