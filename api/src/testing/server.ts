import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { connect, type Pool } from '../core/database.ts'
import { attachEmbedded } from '../core/embedded.ts'

/** The server as a process of its own with its own PostgreSQL, to be killed or watched. */
export type Server = {
  url: string
  dataDir: string
  /** All that it wrote so far. */
  log: () => string
  /** Kills the server without a word, and starts it anew on the same data. */
  crash: () => Promise<void>
  /** Kills the PostgreSQL below it; the server has to bring it back by itself. */
  crashDatabase: () => Promise<void>
  /** Stops all processes of its PostgreSQL as a hung disk would, until the answer is called. */
  freezeDatabase: () => Promise<() => void>
  /** Until it says that it is ready. */
  ready: () => Promise<void>
  /** `npm run manage -- …` on its data: the exit code, and what it wrote. */
  manage: (...args: string[]) => Promise<{ code: number | null; output: string }>
}

const START_MS = 90_000
const SOURCE = join(import.meta.dirname, '..')

/** Starts a server and waits until it is ready; `settings` add to its configuration, `options` to those of Node. */
export async function startServer(settings: Record<string, string> = {}, options: string[] = []): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-crash-'))
  // As root, PostgreSQL runs as another user, who has to reach its folder below this one.
  await chmod(dataDir, 0o755)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    DEMO: 'false',
    ADMIN_PASSWORD: 'Szlaban-2026-noc',
    LOG_LEVEL: 'error',
    ...settings,
  }
  const run = (...args: string[]) => spawn(process.execPath, args, { env })

  let output = ''
  const start = () => {
    const started = run(...options, join(SOURCE, 'main.ts'))
    for (const stream of [started.stdout, started.stderr]) stream.on('data', (data) => (output += data))
    return started
  }
  let server = start()
  const ready = async () => {
    for (const end = Date.now() + START_MS; Date.now() < end; await pause(100)) {
      if (server.exitCode !== null) break
      if ((await fetch(`${url}/readyz`).catch(() => null))?.ok) return
    }
    throw new Error(`The server is not ready (${server.exitCode}).\n${output.slice(-2_000)}`)
  }
  onTestFinished(async () => {
    await ended(server, 'SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  })
  await ready()
  return {
    url,
    dataDir,
    log: () => output,
    ready,
    crash: async () => {
      await ended(server, 'SIGKILL')
      server = start()
    },
    crashDatabase: async () => {
      const pidFile = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
      // A server that is just being started has none to kill yet.
      if (Number.parseInt(pidFile, 10) > 1) process.kill(Number.parseInt(pidFile, 10), 'SIGKILL')
    },
    freezeDatabase: async () => {
      const postmaster = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
      // The parent first, so that it starts no others meanwhile.
      process.kill(postmaster, 'SIGSTOP')
      const pids = [postmaster, ...(await childrenOf(postmaster))]
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      const thaw = () => {
        for (const pid of pids.splice(0)) {
          try {
            process.kill(pid, 'SIGCONT')
          } catch {
            // It had ended before it was stopped, and its parent has noticed it since.
          }
        }
      }
      onTestFinished(thaw)
      return thaw
    },
    manage: async (...args) => {
      const command = run(join(SOURCE, 'manage.ts'), ...args)
      let printed = ''
      for (const stream of [command.stdout, command.stderr]) stream.on('data', (data) => (printed += data))
      const code = await new Promise<number | null>((resolve) => command.once('close', resolve))
      return { code, output: printed }
    },
  }
}

/** Does something on the database of a server, past it. */
export async function withDatabase<T>({ dataDir }: Server, work: (db: Pool) => Promise<T>): Promise<T> {
  const { url } = await attachEmbedded(join(dataDir, 'postgres'))
  const db = connect(url, 2)
  try {
    return await work(db)
  } finally {
    await db.end(2_000)
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = pids.map(async (pid) => {
    // "pid (name) state parent …"; the name may hold blanks.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent ? [Number(pid)] : []
  })
  return (await Promise.all(parents)).flat()
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = new Promise((resolve) => server.once('exit', resolve))
  server.kill(signal)
  await exit
}

/** A port on which nobody listens. */
export function freePort(): Promise<number> {
  const probe = createServer()
  return new Promise((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
