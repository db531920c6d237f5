/** More than all open live lists; when reached, the cache is cleared, which costs each list one full scan. */
const MAX_ENTRIES = 50_000

/**
 * Caches up to which window position a poll has found nothing. A list with rare matches polls every second with the
 * same last vehicle: only newer vehicles need checking.
 */
export function createCheckCache() {
  const positions = new Map<string, number>()
  return {
    get: (key: string): number => positions.get(key) ?? 0,
    set(key: string, position: number): void {
      if (positions.size >= MAX_ENTRIES) positions.clear()
      positions.set(key, position)
    },
  }
}
