import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../core/database.ts'
import { commandOutcomes } from './queries.ts'

/** Deadline for the start of a command. */
export const COMMAND_DEADLINE_MS = 20_000
/** Slightly longer than the timeout of a sign, so that its own outcome comes first. */
const OUTCOME_TIMEOUT_MS = 23_000
const POLL_MS = 100

/**
 * Waits for commands, possibly executed by another process, and returns their outcomes; those still pending at the
 * timeout are omitted.
 */
export async function awaitOutcomes(db: Pool, ids: readonly number[]): Promise<Map<number, string>> {
  const until = performance.now() + OUTCOME_TIMEOUT_MS
  for (;;) {
    const found = ids.length > 0 ? await commandOutcomes(db, ids) : []
    const done = found.flatMap(({ id, outcome }): [number, string][] => (outcome === null ? [] : [[id, outcome]]))
    if (done.length === ids.length || performance.now() > until) return new Map(done)
    await sleep(POLL_MS)
  }
}
