import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../core/database.ts'
import { outcomes } from './queries.ts'

/** A command that has not begun by then is given up. */
export const COMMAND_WITHIN_MS = 20_000
/** A little longer than a sign may take, so that its own answer comes first. */
const WAIT_MS = 23_000
const POLL_MS = 100

/**
 * Waits for commands, which another process may be doing, and answers what became of each; one that is still under way
 * when patience ends is not in it. Only this request waits.
 */
export async function awaitOutcomes(db: Pool, ids: readonly number[]): Promise<Map<number, string>> {
  const until = performance.now() + WAIT_MS
  for (;;) {
    const found = ids.length > 0 ? await outcomes(db, ids) : []
    const done = found.flatMap(({ id, outcome }): [number, string][] => (outcome === null ? [] : [[id, outcome]]))
    if (done.length === ids.length || performance.now() > until) return new Map(done)
    await sleep(POLL_MS)
  }
}
