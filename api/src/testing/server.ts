import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { connect, type Pool } from '../core/database.ts'
import { attachEmbedded } from '../core/embedded.ts'
import { freePort } from '../core/free-port.ts'
import { databaseFolder } from './database-folder.ts'

/** The server as a separate process with its own PostgreSQL, to be killed or observed. */
export type Server = {
  url: string
  dataDir: string
  pid: () => number
  /** Its output so far. */
  log: () => string
  /** Kills the server and restarts it on the same data. */
  crash: () => Promise<void>
  /** Kills its PostgreSQL, which the server has to restart. */
  crashDatabase: () => Promise<void>
  /** Suspends all processes of its PostgreSQL, like a hung disk; returns a function that resumes them. */
  freezeDatabase: () => Promise<() => void>
  /** Waits until it is ready. */
  ready: () => Promise<void>
  /** Runs `npm run manage -- …` on its data; returns exit code and output. */
  manage: (...args: string[]) => Promise<{ code: number | null; output: string }>
}

const START_MS = 90_000
const SOURCE = join(import.meta.dirname, '..')

/** Starts a server and waits until it is ready; `settings` extend its configuration, `options` those of Node. */
export async function startServer(settings: Record<string, string> = {}, options: string[] = []): Promise<Server> {
  const dataDir = await databaseFolder('rogatka-crash-')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    DEMO: 'false',
    SECOND_FACTOR: 'off',
    ADMIN_PASSWORD: 'Szlaban-2026-noc',
    LOG_LEVEL: 'error',
    WORKERS: '1',
    ...settings,
  }
  const run = (...args: string[]) => spawn(process.execPath, args, { env })

  let output = ''
  const start = () => {
    const child = run(...options, join(SOURCE, 'main.ts'))
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    return child
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
    await stopProcess(server, 'SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  })
  await ready()
  return {
    url,
    dataDir,
    pid: () => server.pid as number,
    log: () => output,
    ready,
    crash: async () => {
      await stopProcess(server, 'SIGKILL')
      server = start()
    },
    crashDatabase: async () => {
      const pidFile = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
      // A starting server has none to kill yet.
      if (Number.parseInt(pidFile, 10) > 1) process.kill(Number.parseInt(pidFile, 10), 'SIGKILL')
    },
    freezeDatabase: async () => {
      const postmaster = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
      // The parent first, so that it starts no new ones.
      process.kill(postmaster, 'SIGSTOP')
      const pids = [postmaster, ...(await childrenOf(postmaster))]
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      const thaw = () => {
        for (const pid of pids.splice(0)) {
          try {
            process.kill(pid, 'SIGCONT')
          } catch {
            // It had ended before it was suspended.
          }
        }
      }
      onTestFinished(thaw)
      return thaw
    },
    manage: async (...args) => {
      const command = run(join(SOURCE, 'manage.ts'), ...args)
      let commandOutput = ''
      for (const stream of [command.stdout, command.stderr]) stream.on('data', (data) => (commandOutput += data))
      const code = await new Promise<number | null>((resolve) => command.once('close', resolve))
      return { code, output: commandOutput }
    },
  }
}

/** Runs `work` on the database of a server, bypassing the server. */
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
    // "pid (name) state parent …"; the name may contain spaces.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent ? [Number(pid)] : []
  })
  return (await Promise.all(parents)).flat()
}

async function stopProcess(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = new Promise((resolve) => server.once('exit', resolve))
  server.kill(signal)
  await exit
}
