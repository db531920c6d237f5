import type { FastifyBaseLogger } from 'fastify'
import type { Database, Pool } from '../core/database.ts'
import { findBackfill, type LineKey, queueMissed, saveBackfill, takeQueued, waitingChains } from '../core/log-queue.ts'
import { type Chain, chainHash, chains, FIRST_HASH, lineText } from './chains.ts'
import { sealPassages } from './passages.ts'
import { findHead, insertSeals, lastSealedId, type Seal, tryLockSealing } from './seal-queries.ts'

/** Interval between runs; a line waits at most this long plus the time of one batch. */
const TICK_MS = 1_000
/** After so many ticks lines are looked for that nobody queued. */
const MISSED_LINES_TICKS = 60
/** After so many ticks vehicles and images are sealed. */
const PASSAGE_TICKS = 10
/** Lines of a transaction. */
const BATCH_SIZE = 1_000
const BACKFILL_SIZE = 10_000
/** How far back, in ids, lines are looked for that nobody queued. */
export const RECENT_IDS = 10_000

/** Seals the next lines of a chain in one transaction. Returns whether more may wait. */
const sealBatch = (db: Pool, chain: Chain): Promise<boolean> =>
  db.transaction(async (db) => {
    if (!(await tryLockSealing(db))) return false
    const backfill = await findBackfill(db, chain.name)
    if (!backfill || !chain.unsealed) {
      const keys = await takeQueued(db, chain.name, BATCH_SIZE)
      await sealLines(db, chain, keys)
      return keys.length === BATCH_SIZE
    }
    const { done, until } = backfill
    const keys = await chain.unsealed(db, { from: done, until, limit: BACKFILL_SIZE })
    await sealLines(db, chain, keys)
    await saveBackfill(db, chain.name, keys.length < BACKFILL_SIZE ? null : (keys.at(-1)?.id ?? null))
    return true
  })

/** Appends these lines to their chain, in this order. Lines that were removed meanwhile get no number. */
async function sealLines(db: Database, chain: Chain, keys: readonly LineKey[]): Promise<void> {
  if (keys.length === 0) return
  const lines = new Map((await chain.lines(db, keys)).map((line) => [line.id, line]))
  const head = await findHead(db, chain.name)
  let seq = head?.seq ?? 0
  let previous = head?.hash ?? FIRST_HASH
  const seals: Seal[] = []
  for (const { id } of keys) {
    const line = lines.get(id)
    if (!line) continue
    seq += 1
    previous = chainHash(previous, lineText(seq, line))
    seals.push({ seq, id, at: line.at, hash: previous })
  }
  await insertSeals(db, chain.name, seals)
}

/** Queues lines that were inserted by processes of the previous version, or by hand. */
export async function queueMissedLines(db: Database): Promise<void> {
  for (const chain of chains) {
    if (!chain.unsealed || (await findBackfill(db, chain.name))) continue
    const from = (await lastSealedId(db, chain.name)) - RECENT_IDS
    const keys = await chain.unsealed(db, { from, until: null, limit: RECENT_IDS })
    if (keys.length > 0) await queueMissed(db, chain.name, keys)
  }
}

/** Seals all lines that wait. Several processes may do so at a time. */
export async function sealLogs(db: Pool, signal?: AbortSignal): Promise<void> {
  const waiting = await waitingChains(db)
  for (const chain of chains) {
    if (!waiting.includes(chain.name)) continue
    while (!signal?.aborted && (await sealBatch(db, chain)));
  }
}

type SealingContext = { db: Pool; now: () => Date; log: Pick<FastifyBaseLogger, 'warn'> }

/**
 * Seals lines every second, and vehicles and images every ten. All processes try; an advisory lock lets one of them do so
 * at a time. What waits is in the database, so that another one continues.
 */
export function runSealing({ db, now, log }: SealingContext): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let ticks = 0
  let isFailing = false

  async function work() {
    const tick = ticks++
    if (tick % MISSED_LINES_TICKS === 0) await queueMissedLines(db)
    await sealLogs(db, stopping.signal)
    if (tick % PASSAGE_TICKS === 0) await sealPassages(db, now(), stopping.signal)
  }

  const timer = setInterval(() => {
    running ??= work()
      .then(() => {
        isFailing = false
      })
      .catch((error: unknown) => {
        // Once, not every second while the database is unavailable.
        if (!isFailing) log.warn({ err: error }, 'evidence: not sealed, trying again')
        isFailing = true
      })
      .finally(() => {
        running = undefined
      })
  }, TICK_MS).unref()

  return {
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
