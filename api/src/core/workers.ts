import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AggregatorRegistry, type Registry } from 'prom-client'

/*
 * Several server processes behind one port. On Linux each listens by itself (SO_REUSEPORT) and the kernel distributes the
 * connections: those that wait for a process which is killed are reset at once. Elsewhere the first process accepts all
 * connections and hands them to the workers in turn, by the cluster module of Node.js.
 */

const WORKER = fileURLToPath(new URL('../worker.ts', import.meta.url))
/** Index of a worker and URL of its database, in its environment. */
const INDEX = 'ROGATKA_WORKER'
const DATABASE = 'ROGATKA_WORKER_DATABASE'
/** A worker that ended by itself is replaced after this time. */
const REPLACE_MS = 1_000
/** A worker is given this time to stop, then killed. */
const STOP_TIMEOUT_MS = 9_000
/** Connections of the database that are left to others: to `manage`, to backups and to the first process. */
const RESERVED_CONNECTIONS = 20
/** Connections of a worker besides its pool, and those of the one that runs jobs. */
const OTHER_CONNECTIONS = 3
const JOB_CONNECTIONS = 9

type Message =
  | { kind: 'listening'; address: string }
  | { kind: 'metrics-requested' }
  | { kind: 'metrics'; text: string }

type Workers = { address: string; stop: () => Promise<void> }

const canReusePort = process.platform === 'linux'

/** How a worker listens. */
export const sharedPort = (): { exclusive?: boolean; reusePort?: boolean } =>
  cluster.isWorker && canReusePort ? { exclusive: true, reusePort: true } : {}

/** Workers of a first process that was killed end within this time. */
const PORT_WAIT_MS = 5_000
const PORT_RETRY_MS = 100

/**
 * The port for several processes; 0: any free one. @throws Error if another server uses it, which processes that share a
 * port would not notice
 */
export async function findPort(host: string, port: number): Promise<number> {
  for (let waited = 0; ; waited += PORT_RETRY_MS)
    try {
      return await probePort(host, port)
    } catch (error) {
      if (waited >= PORT_WAIT_MS || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      await sleep(PORT_RETRY_MS)
    }
}

async function probePort(host: string, port: number): Promise<number> {
  const probe = createServer().listen({ host, port, exclusive: true })
  await once(probe, 'listening')
  const { port: free } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return free
}

/** How many workers, each with such a pool, the database has connections for; at least one. */
export function affordableWorkers(maxConnections: number, poolSize: number): number {
  const available = maxConnections - RESERVED_CONNECTIONS - JOB_CONNECTIONS
  return Math.max(1, Math.floor(available / (poolSize + OTHER_CONNECTIONS)))
}

/**
 * Starts this number of workers with these variables and resolves when all serve. Later a worker that ends is replaced.
 * @throws Error if one ends before
 */
export async function startWorkers(
  count: number,
  databaseUrl: string,
  variables: Record<string, string>,
  onEnd: (text: string) => void,
): Promise<Workers> {
  cluster.setupPrimary({ exec: WORKER, args: [] })
  const registry = new AggregatorRegistry()
  const running = new Map<number, Worker>()
  let isStopping = false
  // Of a terminal they reach the workers, too: these end on purpose, before `stop` is called.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      isStopping = true
    })

  const start = (index: number) =>
    new Promise<string>((resolve, reject) => {
      const worker = cluster.fork({ ...variables, [DATABASE]: databaseUrl, [INDEX]: String(index) })
      running.set(index, worker)
      // It could not be started, or a message could not be sent: `exit` follows only if it ran.
      worker.on('error', (error) => {
        if (worker.process.pid === undefined) running.delete(index)
        reject(error)
      })
      worker.on('message', (message: Message) => {
        if (message.kind === 'listening') resolve(message.address)
        else if (message.kind === 'metrics-requested')
          registry
            .clusterMetrics()
            .catch(() => '')
            .then((text) => worker.send({ kind: 'metrics', text } satisfies Message, () => {}))
      })
      worker.on('exit', (code, signal) => {
        running.delete(index)
        reject(new Error(`Server process ${index} has not started (${signal ?? code})`))
        if (!isStopping && hasStarted && !replacing.has(index)) void replace(index, signal ?? code)
      })
    })
  let hasStarted = false
  const replacing = new Set<number>()
  const replace = async (index: number, cause: string | number) => {
    replacing.add(index)
    onEnd(`server process ${index} ended (${cause}) and is replaced`)
    await sleep(REPLACE_MS)
    while (!isStopping && !running.has(index)) {
      await start(index).catch((error: Error) => onEnd(error.message))
      await sleep(REPLACE_MS)
    }
    replacing.delete(index)
  }
  const stop = async () => {
    isStopping = true
    const ended = [...running.values()].map((worker) => {
      const exit = new Promise<void>((resolve) => worker.on('exit', () => resolve()))
      worker.process.kill('SIGTERM')
      setTimeout(() => worker.process.kill('SIGKILL'), STOP_TIMEOUT_MS).unref()
      return exit
    })
    await Promise.all(ended)
  }

  try {
    const [address = ''] = await Promise.all(Array.from({ length: count }, (_, index) => start(index)))
    hasStarted = true
    // One may have ended while others started.
    for (let index = 0; index < count; index++) if (!running.has(index)) void replace(index, 'at the start')
    return { address, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The database of this worker, which may be embedded. */
export const databaseOfWorker = (): string => process.env[DATABASE] as string

/** Whether this worker runs the jobs. */
export const isJobWorker = (): boolean => process.env[INDEX] === '0'

/** Reports to the first process that this worker serves. */
export const reportListening = (address: string): void =>
  void process.send?.({ kind: 'listening', address } satisfies Message)

/** Calls `stop` once at a signal to end, then ends this process. */
export function stopOnSignals(stop: () => Promise<unknown>): void {
  let isStopping = false
  const end = async () => {
    if (isStopping) return
    isStopping = true
    await stop().catch(() => {})
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end())
}

/** How long a worker waits for the metrics of all. */
const METRICS_TIMEOUT_MS = 6_000

/** Lets the first process read the metrics of this worker. */
export function shareMetrics(registry: Registry): void {
  if (!cluster.isWorker) return
  AggregatorRegistry.setRegistries([registry])
  // Its constructor answers requests of the first process.
  new AggregatorRegistry()
}

/**
 * The metrics of all workers together, or of this process if it is the only one. @throws Error if one does not respond: a
 * part of the sum would look like a restart
 */
export async function metricsOf(registry: Registry): Promise<string> {
  if (!cluster.isWorker) return registry.metrics()
  const all = new Promise<string>((resolve) => {
    const receive = (message: Message) => {
      if (message.kind !== 'metrics') return
      process.off('message', receive)
      resolve(message.text)
    }
    process.on('message', receive)
    setTimeout(() => process.off('message', receive), METRICS_TIMEOUT_MS).unref()
    process.send?.({ kind: 'metrics-requested' } satisfies Message)
  })
  const text = await Promise.race([all, sleep(METRICS_TIMEOUT_MS, '', { ref: false })])
  if (text === '') throw new Error('not all server processes respond')
  return text
}
