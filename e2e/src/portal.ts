import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '@rogatka/api/core/free-port.ts'
import { databaseFolder, diskFolder } from '@rogatka/api/testing/database-folder.ts'

/** A production server process with its own database and data folder. */
export type Portal = {
  url: string
  dataDir: string
  /** Output of the server so far. */
  log: () => string
  /** Runs `npm run manage -- …` on its database; returns its output. */
  manage: (...args: string[]) => Promise<string>
  stop: () => Promise<void>
}

export const ADMIN = { username: 'admin', password: 'Rogatka-e2e-2026' }

const root = resolve(import.meta.dirname, '../..')
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 60_000

/**
 * Starts a server on a free port and waits until it is ready; `env` adds to its configuration, which may depend on the port,
 * `checkout` is another copy of the repository. `inMemory`: its data is kept in memory where there is room, for tests that wait for it
 * often; benchmarks measure a disk.
 */
export async function startPortal(
  env: Record<string, string> | ((port: number) => Record<string, string> | Promise<Record<string, string>>) = {},
  { checkout = root, inMemory = false }: { checkout?: string | undefined; inMemory?: boolean } = {},
): Promise<Portal> {
  const dataDir = await (inMemory ? databaseFolder : diskFolder)('rogatka-e2e-')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const variables = typeof env === 'function' ? await env(port) : env
  const server = spawn(process.execPath, [join(checkout, 'api/src/main.ts')], {
    cwd: checkout,
    // Its own process group, so that its child processes can be killed with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      DEMO: 'true',
      DEMO_BACKFILL_DAYS: '0',
      // Drawing images of all the usual traffic would take a third of the processor time of the tests.
      DEMO_TRAFFIC_PERCENT: '5',
      ADMIN_PASSWORD: ADMIN.password,
      LOG_LEVEL: 'warn',
      SECOND_FACTOR: 'off',
      SECRET_KEY: 'a5'.repeat(32),
      // Each test worker has a server of its own.
      WORKERS: '1',
      ...variables,
    },
  })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => (output += data))
  const killAll = () => {
    killGroup(server, 'SIGKILL')
    try {
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // Its database may still be ending.
    }
  }
  process.once('exit', killAll)

  const stop = async () => {
    process.off('exit', killAll)
    await stopServer(server)
    const isDatabaseRunning = existsSync(join(dataDir, 'postgres/postmaster.pid'))
    await rm(dataDir, { recursive: true, force: true })
    if (isDatabaseRunning) throw new Error(`The server left its database behind.\n${output}`)
  }
  try {
    await untilReady(url, server)
  } catch (error) {
    await stop()
    throw new Error(`The server did not start: ${(error as Error).message}\n${output}`)
  }
  const manage = async (...args: string[]) => {
    const env = { ...process.env, DATA_DIR: dataDir }
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'api/src/manage.ts'), ...args], {
      cwd: root,
      env,
    })
    return stdout
  }
  return { url, dataDir, log: () => output, manage, stop }
}

async function untilReady(url: string, server: ChildProcess) {
  const end = Date.now() + START_TIMEOUT_MS
  while (Date.now() < end) {
    if (server.exitCode !== null) throw new Error(`it ended with ${server.exitCode}`)
    const response = await fetch(`${url}/readyz`).catch(() => null)
    if (response?.ok) return
    await pause(100)
  }
  throw new Error(`it was not ready after ${START_TIMEOUT_MS / 1000} s`)
}

async function stopServer(server: ChildProcess) {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = new Promise((done) => server.once('exit', done))
  server.kill('SIGTERM')
  const force = setTimeout(() => killGroup(server, 'SIGKILL'), STOP_TIMEOUT_MS)
  await exit
  clearTimeout(force)
}

function killGroup(server: ChildProcess, signal: NodeJS.Signals) {
  try {
    if (server.pid) process.kill(-server.pid, signal)
  } catch {
    // The process has exited already.
  }
}
