import type { FastifyBaseLogger } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'
import { connect, isDatabaseUnavailable, type Pool, type TransactionOptions } from './database.ts'
import { createReplicaWatch, type ReplicaState } from './replica-watch.ts'

export type Replica = {
  /**
   * Reads on the replica all that was committed on the primary before, or on the primary if the replica cannot: as a
   * pool of the primary, but for reading only.
   */
  pool: Pool
  isUsed: () => boolean
  /** Compares the replica with the primary from now on; until it is current, reads go to the primary. */
  start: () => void
  stop: () => Promise<void>
}

type Settings = {
  primary: Pool
  url: string
  /** How long a read waits for the replica, in ms. */
  lagMs: number
  registry: Registry
  log: FastifyBaseLogger
}

/** Error codes of what recovery cancels: serialization failure, deadlock. A statement that writes fails. */
const RECOVERY_CONFLICT_CODES = ['40001', '40P01']
/** Error codes of a statement that was too slow, or waited too long for a connection: it would on the primary, too. */
const TIMEOUT_CODES = ['57014', 'CONNECTION_TIMEOUT']

/** Opens a streaming replica of `primary` for reading, with metrics of it. */
export function createReplica({ primary, url, lagMs, registry, log }: Settings): Replica {
  let replica = connect(url, primary.max)
  /** Its connections may be dead, and without an answer they would be taken for good ones. */
  const renewPool = () => {
    void replica.end(0).catch(() => {})
    replica = connect(url, primary.max)
  }
  const watch = createReplicaWatch({
    primary,
    replica: { open: (onNotify) => replica.open(onNotify) },
    lagMs,
    onChange: (state, error) => {
      if (state === 'used') return log.info('replica: used for reading')
      if (state !== 'lagging') renewPool()
      log.warn({ err: error, state, lagSeconds: watch.lagSeconds() }, 'replica: not used, reads go to the primary')
    },
    onFailure: (error) => log.warn({ err: error }, 'comparison of replica and primary failed, retrying'),
  })
  const counters = createCounters(registry, watch)

  /** Why a read that failed on the replica is repeated on the primary; undefined: it is not. */
  const fallbackOf = (error: unknown, lost: AbortSignal): ReplicaState | 'conflict' | undefined => {
    if (lost.aborted) return watch.state()
    const code = String((error as { code?: unknown } | null)?.code)
    if (RECOVERY_CONFLICT_CODES.includes(code)) return 'conflict'
    return isDatabaseUnavailable(error) && !TIMEOUT_CODES.includes(code) ? 'lost' : undefined
  }

  async function read<T>(
    run: (pool: Pool, signal: AbortSignal | undefined) => Promise<T>,
    { signal, isRepeatable }: TransactionOptions = {},
  ): Promise<T> {
    const state = await watch.stateForRead()
    if (state === 'used') {
      const lost = watch.untilLost()
      try {
        const result = await unlessAborted(run(replica, signal ? AbortSignal.any([signal, lost]) : lost), lost)
        counters.recordRead('replica')
        return result
      } catch (error) {
        const fallback = signal?.aborted ? undefined : fallbackOf(error, lost)
        if (!fallback || isRepeatable?.() === false) throw error
        counters.recordFallback(fallback)
      }
    } else if (state) counters.recordFallback(state)
    counters.recordRead('primary')
    return run(primary, signal)
  }

  return {
    pool: {
      ...primary,
      query: (statement) => read((pool) => pool.query(statement)),
      prepared: (statement) => read((pool) => pool.prepared(statement)),
      arrays: (statement) => read((pool) => pool.arrays(statement)),
      execute: (statement) => read((pool) => pool.execute(statement)),
      transaction: (work, options = {}) =>
        read((pool, signal) => pool.transaction(work, { ...options, signal }), options),
      end: (graceMs) => replica.end(graceMs),
    },
    isUsed: () => watch.state() === 'used',
    start: watch.start,
    stop: async () => {
      watch.stop()
      await replica.end(2_000)
    },
  }
}

/** The result of `work`, which goes on without a reader once `signal` aborts. @throws the reason of `signal` */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  work.catch(() => {})
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort))
}

function createCounters(
  registry: Registry,
  watch: Pick<ReturnType<typeof createReplicaWatch>, 'state' | 'lagSeconds'>,
) {
  const registers = [registry]
  const reads = new Counter({
    name: 'rogatka_reads_total',
    help: 'Reads of archive, statistics and reports, by server: replica, primary',
    labelNames: ['server'],
    registers,
  })
  const fallbacks = new Counter({
    name: 'rogatka_replica_fallbacks_total',
    help: 'Reads that went to the primary instead of the replica, by reason',
    labelNames: ['reason'],
    registers,
  })
  // From 0, so that the first one is an increase.
  for (const server of ['replica', 'primary']) reads.inc({ server }, 0)
  for (const reason of ['starting', 'lost', 'silent', 'lagging', 'promoted', 'foreign', 'conflict'])
    fallbacks.inc({ reason }, 0)
  new Gauge({
    name: 'rogatka_replica_used',
    help: '1 while archive, statistics and reports are read from the replica',
    aggregator: 'min',
    registers,
    collect() {
      this.set(watch.state() === 'used' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'rogatka_replica_lag_seconds',
    help: 'How long the replica has lacked what was committed on the primary',
    aggregator: 'max',
    registers,
    collect() {
      this.set(watch.lagSeconds())
    },
  })
  return {
    recordRead: (server: 'replica' | 'primary') => reads.inc({ server }),
    recordFallback: (reason: string) => fallbacks.inc({ reason }),
  }
}
