import { hash } from 'node:crypto'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import type { Session } from '../core/sessions.ts'

/** Maximum hashes in memory; beyond it the oldest is evicted and may be recorded twice, never missed. */
const MAX_SEARCHES = 10_000

/** Identifies the session in which a search is recorded once; that of a system, whose key lasts for years, for a day. */
export const recordingKey = ({ key, system }: Session, now: Date): string => (system ? `${key} ${dateOf(now)}` : key)

/**
 * Runs `record` once per session and filter, whichever page is requested first; concurrent pages wait for it. If it
 * fails, the page fails too and the next one retries. In memory: another API process records the same search again.
 */
export function createRecordedSearches() {
  const recorded = new Map<string, Promise<unknown>>()
  return async (sessionKey: string, filter: unknown, record: () => Promise<unknown>): Promise<void> => {
    const key = hash('sha256', `${sessionKey} ${JSON.stringify(filter)}`, 'base64')
    const existing = recorded.get(key)
    if (existing) {
      await existing
      return
    }
    const recording = record()
    recorded.set(key, recording)
    const [oldest] = recorded.keys()
    if (recorded.size > MAX_SEARCHES && oldest !== undefined) recorded.delete(oldest)
    try {
      await recording
    } catch (error) {
      recorded.delete(key)
      throw error
    }
  }
}
