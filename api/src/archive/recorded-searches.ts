import { hash } from 'node:crypto'

/** Question hashes kept in memory; beyond it the oldest may be recorded a second time, never left out. */
const MAX_QUESTIONS = 10_000

/**
 * Runs `record` once per session and filter, whichever page comes first; concurrent pages wait for it. If it fails, the
 * page fails too and the next one tries again. In memory: another API process records the same question once more.
 */
export function createRecordedSearches() {
  const recorded = new Map<string, Promise<unknown>>()
  return async (sessionKey: string, filter: unknown, record: () => Promise<unknown>): Promise<void> => {
    const key = hash('sha256', `${sessionKey} ${JSON.stringify(filter)}`, 'base64')
    const known = recorded.get(key)
    if (known) {
      await known
      return
    }
    const recording = record()
    recorded.set(key, recording)
    const [oldest] = recorded.keys()
    if (recorded.size > MAX_QUESTIONS && oldest !== undefined) recorded.delete(oldest)
    try {
      await recording
    } catch (error) {
      recorded.delete(key)
      throw error
    }
  }
}
