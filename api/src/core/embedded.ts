import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Binaries,
  ensureOwner,
  locateFolder,
  type Owner,
  reachableBinaries,
  reachableFolder,
} from './embedded-host.ts'
import { freePort } from './free-port.ts'

type EmbeddedServer = { url: string; stop: () => Promise<void> }

/** How often to check that the server is running. */
const WATCH_MS = 2_000
/** How long the start of the server is retried. */
const START_RETRY_MS = 60_000

/**
 * Starts the embedded PostgreSQL in `folder`, on a free loopback port, and restarts it when it dies. Stops a server
 * left by a killed process first, but not one of a living process. `settings` are added to its command line, such as
 * fsync for tests; `binaries` select another PostgreSQL.
 * @throws if another process uses the folder
 */
export async function startEmbedded(
  folder: string,
  settings: Record<string, string> = {},
  binaries?: Binaries,
): Promise<EmbeddedServer> {
  const paths = await resolvePaths(folder, binaries)
  if (!existsSync(paths.data)) await create(paths)
  if (await isRunning(paths)) {
    const other = Number(await readFile(paths.ownerFile, 'utf8').catch(() => '0'))
    if (other && isAlive(other)) throw new Error(`DATA_DIR: ${folder} is in use by process ${other}`)
    await stop(paths)
  }
  await writeFile(paths.ownerFile, String(process.pid))

  const port = await freePort()
  const start = () => startServer(paths, { ...defaults(), ...settings, port: String(port) })
  await startWithRetries(paths, start)
  let check: Promise<void> = Promise.resolve()
  const watch = setInterval(() => {
    check = check.then(async () => {
      if (await isRunning(paths)) return
      await start().catch(() => {})
    })
  }, WATCH_MS).unref()

  return {
    url: urlOf(await readPassword(paths), port),
    stop: async () => {
      clearInterval(watch)
      await check
      await stop(paths)
    },
  }
}

/**
 * Starts the server. After its main process was killed, it does not start again until the others have ended and its
 * parent has noticed; and a process that was killed itself may just have started one.
 */
async function startWithRetries(paths: ClusterPaths, start: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + START_RETRY_MS; ; await pause(200)) {
    try {
      return await start()
    } catch (error) {
      if (performance.now() > end) throw error
      if (await isRunning(paths)) await stop(paths)
    }
  }
}

/**
 * The database of `folder` for a management command: the running one, else one started until `stop`.
 * @throws if there is none: a new one would be an empty portal beside the one that the operator means
 */
export async function attachEmbedded(folder: string): Promise<EmbeddedServer> {
  const data = locateFolder(folder, ensureOwner())
  if (!existsSync(data))
    throw new Error(
      `DATABASE_URL is not set, and the embedded database of DATA_DIR does not exist: ${data}. ` +
        'Set the variable with which the portal runs, or start the portal first',
    )
  const paths = await resolvePaths(folder)
  if (!(await isRunning(paths))) return startEmbedded(folder)
  // The fourth line of the pid file is the port.
  const port = Number((await readFile(join(paths.data, 'postmaster.pid'), 'utf8')).split('\n')[3])
  return { url: urlOf(await readPassword(paths), port), stop: async () => {} }
}

type ClusterPaths = { data: string; secretFile: string; ownerFile: string; bin: Binaries; owner: Owner }

async function resolvePaths(folder: string, binaries?: Binaries): Promise<ClusterPaths> {
  const owner = ensureOwner()
  const data = await reachableFolder(folder, owner)
  const bin = await reachableBinaries(owner, binaries)
  return { data, secretFile: `${data}.secret`, ownerFile: `${data}.owner`, bin, owner }
}

/** Creates the cluster in a temporary folder and renames it when complete, so that an interrupted start leaves none. */
async function create({ data, secretFile, bin, owner }: ClusterPaths): Promise<void> {
  const temporary = `${data}.making`
  await rm(temporary, { recursive: true, force: true })
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  await mkdir(dirname(data), { recursive: true })
  await writeFile(secretFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (owner) for (const path of [temporary, secretFile]) await chown(path, owner.uid, owner.gid)
  const options = ['--username=rogatka', `--pwfile=${secretFile}`, '--auth=scram-sha-256']
  await run(bin.initdb, [`--pgdata=${temporary}`, '--encoding=UTF8', '--locale=C', ...options], owner)
  await rename(temporary, data)
}

async function startServer({ data, bin, owner }: ClusterPaths, settings: Record<string, string>): Promise<void> {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`)
  const log = join(data, 'server.log')
  await run(bin.pg_ctl, ['start', '-w', '-t', '60', '-D', data, '-l', log, '-o', options.join(' ')], owner)
}

const stop = ({ data, bin, owner }: ClusterPaths) =>
  run(bin.pg_ctl, ['stop', '-w', '-t', '60', '-m', 'fast', '-D', data], owner)

/**
 * Like `pg_ctl status`, without starting a process every 2 s, which would block the server for 10 ms, or 100 ms on a
 * busy machine.
 */
async function isRunning({ data }: ClusterPaths): Promise<boolean> {
  const file = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(file, 10)
  // After a reboot, the pid in an old file may be that of this process.
  return pid > 0 && pid !== process.pid && isAlive(pid) && !(await isDefunct(pid))
}

/** Whether a process has ended, and only its parent has not noticed yet, as in containers without an init process. */
async function isDefunct(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The state follows the name, which may contain anything.
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
}

const readPassword = async ({ secretFile }: ClusterPaths) => (await readFile(secretFile, 'utf8')).trim()

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
    // Without the values of rows.
    log_error_verbosity: 'terse',
  }
}

async function run(command: string, args: string[], owner: Owner): Promise<void> {
  // The server would inherit pipes and hold them open.
  const child = spawn(command, args, { ...owner, stdio: 'ignore', cwd: tmpdir(), detached: true })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) throw new Error(`Embedded PostgreSQL: ${command.split(/[\\/]/).at(-1)} ended with ${code}`)
}
