import { MINUTE_MS } from '@rogatka/domain/core/time.ts'

const KEEP_MS = 10 * MINUTE_MS

/**
 * Adds keys to those that were seen before; they are kept for ten minutes after they were last seen. A list may go backwards,
 * as several server processes answer: a key that it lacks for a moment is not new. Times in ms.
 */
export function recentKeys(
  keys: readonly string[],
  now: number,
  before: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, number> {
  const kept = [...before].filter(([, seenAt]) => now - seenAt < KEEP_MS)
  return new Map([...kept, ...keys.map((key) => [key, now] as const)])
}
