import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from './database.ts'
import { createDedicatedConnection } from './dedicated-connection.ts'
import { sql } from './statement.ts'

/** Whether the replica is used, or why not: see docs/operations.md. */
export type ReplicaState = 'used' | 'starting' | 'lost' | 'silent' | 'lagging' | 'promoted' | 'foreign'

export type ReplicaWatch = {
  state: () => ReplicaState
  /**
   * `used` if the replica has all that was committed on the primary before the call, else why not. Waits for it, at most
   * for the permitted lag. Undefined if the primary did not give its position.
   */
  stateForRead: () => Promise<ReplicaState | undefined>
  /** Aborts when the replica is lost, and what runs there will not end. */
  untilLost: () => AbortSignal
  /** For how long the replica has lacked what was committed on the primary, in s. */
  lagSeconds: () => number
  start: () => void
  stop: () => void
}

/** How often the replica is compared with the primary. */
const COMPARE_MS = 500
/** How often the replica is asked while reads wait for it. */
const POLL_MS = 5
/** A server that does not answer for so long is silent. */
const ANSWER_TIMEOUT_MS = 2_000
/** Positions for the lag: of more than an hour. */
const MAX_SAMPLES = 10_000

/** Whether a position was reached, or not in time, or the replica was given up meanwhile. */
type Outcome = 'reached' | 'late' | 'lost'

/** Of a cluster and a database in it, which a replica shares with its primary. */
const IDENTITY = sql`(
  select system_identifier || '/' || d.oid from pg_control_system(), pg_database d where d.datname = current_database()
) as identity`

/** Positions are bytes of the write-ahead log of a timeline. What is visible on the primary is flushed. */
const PRIMARY_POSITION = sql`
  (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 as position,
  ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::int as timeline`
const REPLICA_POSITION = sql`
  pg_is_in_recovery() as "isReplica", coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::float8 as position`
/**
 * The timeline that the replica follows. After that of its primary has changed, the file of its state has it only from its
 * next restart point; what it receives may be read by roles with pg_read_all_stats alone.
 */
const REPLICA_TIMELINE = sql`
  greatest((select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery()),
           (select received_tli from pg_stat_wal_receiver)) as timeline`

/**
 * Compares a streaming replica with its primary, by a connection of its own to each. `lagMs`: how long a read waits for
 * it. `onChange` is called with each new state, and the error that led to it; `onFailure` with the first error of a run of
 * failed comparisons, unless `onChange` was.
 */
export function createReplicaWatch({
  primary,
  replica,
  lagMs,
  onChange,
  onFailure,
}: {
  primary: Pick<Pool, 'open'>
  replica: Pick<Pool, 'open'>
  lagMs: number
  onChange: (state: ReplicaState, error?: unknown) => void
  onFailure: (error: unknown) => void
}): ReplicaWatch {
  let state: ReplicaState = 'starting'
  let lost = new AbortController()
  /** What the replica had at the last answer. */
  let replayed = 0
  /** That of the replica at the last comparison. */
  let timeline: number | undefined
  const waiters = new Set<{ position: number; settle: (outcome: Outcome) => void }>()
  let isPolling = false
  /** Positions that the replica did not have yet, with their times, oldest first. */
  const missing: { position: number; at: number }[] = []
  let lastLag = 0
  const stopping = new AbortController()
  /** Whether an error of this run of failed comparisons was reported. */
  let isReported = false

  const primaryConnection = createDedicatedConnection(primary, ANSWER_TIMEOUT_MS)
  const replicaConnection = createDedicatedConnection(replica, ANSWER_TIMEOUT_MS, () => leave('lost'))

  function enter(next: ReplicaState, error?: unknown): void {
    if (state === next || stopping.signal.aborted) return
    state = next
    if (error) isReported = true
    onChange(state, error)
  }

  /** What runs on the replica is given up. */
  function leave(next: ReplicaState, error?: unknown): void {
    replayed = 0
    for (const { settle } of [...waiters]) settle('lost')
    enter(next, error)
    lost.abort(new Error(`The replica is ${next}`))
    lost = new AbortController()
  }

  const leaveAfter = (error: unknown) =>
    leave((error as { code?: string }).code === 'CONNECTION_TIMEOUT' ? 'silent' : 'lost', error)

  function recordReplayed(position: number): void {
    replayed = position
    for (const waiter of [...waiters]) if (waiter.position <= position) waiter.settle('reached')
    const now = performance.now()
    for (let first = missing[0]; first && first.position <= position; first = missing[0]) {
      lastLag = now - first.at
      missing.shift()
    }
  }

  /** Asks the replica until nobody waits for it any more. */
  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    try {
      while (waiters.size > 0) {
        const [row] = await replicaConnection.query<{ isReplica: boolean; position: number }>(
          sql`select ${REPLICA_POSITION}`,
        )
        if (row?.isReplica) recordReplayed(row.position)
        else leave('promoted')
        if (waiters.size > 0) await sleep(POLL_MS)
      }
    } catch (error) {
      leaveAfter(error)
    } finally {
      isPolling = false
    }
  }

  /** Waits until the replica reaches a position, at most for the permitted lag. */
  async function reach(position: number): Promise<Outcome> {
    if (position <= replayed) return 'reached'
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const settle = (outcome: Outcome) => {
      clearTimeout(timer)
      waiters.delete(waiter)
      resolve(outcome)
    }
    const waiter = { position, settle }
    const timer = setTimeout(() => settle('late'), lagMs)
    waiters.add(waiter)
    void poll()
    return promise
  }

  /** Compares both once. @throws if either does not answer */
  async function compareOnce(): Promise<void> {
    type Answer = { identity: string; isReplica: boolean; position: number; timeline: number }
    const { signal } = lost
    // Before the primary: a replica is never ahead of a position that was read later.
    const asked = replicaConnection.query<Answer>(sql`select ${IDENTITY}, ${REPLICA_POSITION}, ${REPLICA_TIMELINE}`)
    const failure = await asked.then(
      () => undefined,
      (error: unknown) => {
        leaveAfter(error)
        return { error }
      },
    )
    const at = performance.now()
    const [ours] = await primaryConnection.query<Omit<Answer, 'isReplica'>>(
      sql`select ${IDENTITY}, ${PRIMARY_POSITION}`,
    )
    if (!ours) return
    // Positions of a timeline that no longer exists.
    while ((missing.at(-1)?.position ?? 0) > ours.position) missing.pop()
    if (missing.length < MAX_SAMPLES) missing.push({ position: ours.position, at })
    if (failure) throw failure.error
    // The replica was lost after it had answered.
    if (signal.aborted) return
    const [theirs] = await asked
    if (theirs?.identity !== ours.identity) return leave('foreign')
    if (!theirs.isReplica) return leave('promoted')
    timeline = theirs.timeline
    // Of a former primary, or of one that is ahead by what the primary has lost.
    if (timeline !== ours.timeline || theirs.position > ours.position) return leave('foreign')
    recordReplayed(theirs.position)
    const [oldest] = missing
    if (oldest && performance.now() - oldest.at > lagMs) return enter('lagging')
    const outcome = await reach(ours.position)
    if (outcome !== 'lost') enter(outcome === 'reached' ? 'used' : 'lagging')
  }

  async function stateForRead(): Promise<ReplicaState | undefined> {
    if (state !== 'used') return state
    const before = replayed
    const [row] = await primaryConnection
      .query<{ position: number; timeline: number }>(sql`select ${PRIMARY_POSITION}`)
      .catch(() => [])
    if (state !== 'used') return state
    if (!row) return undefined
    if (before > row.position || row.timeline !== timeline) {
      leave('foreign')
      return 'foreign'
    }
    const outcome = await reach(row.position)
    if (outcome === 'reached') return 'used'
    if (outcome === 'lost') return state === 'used' ? undefined : state
    if (state === 'used') enter('lagging')
    return 'lagging'
  }

  return {
    state: () => state,
    stateForRead,
    untilLost: () => lost.signal,
    lagSeconds: () => (missing[0] ? performance.now() - missing[0].at : lastLag) / 1_000,
    start: () => {
      const run = async () => {
        while (!stopping.signal.aborted) {
          await compareOnce().then(
            () => {
              isReported = false
            },
            (error: unknown) => {
              if (!isReported && !stopping.signal.aborted) onFailure(error)
              isReported = true
            },
          )
          await sleep(COMPARE_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
        }
      }
      void run()
    },
    stop: () => {
      stopping.abort()
      for (const { settle } of [...waiters]) settle('lost')
      primaryConnection.close()
      replicaConnection.close()
    },
  }
}
