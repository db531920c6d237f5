/** Time to live after the last use. */
const TTL_MS = 15 * 60_000

type CacheEntry<V> = { value: V; weight: number; expiresAt: number }

/** LRU cache with a maximum total weight and a TTL. */
export function createCache<V>(maxWeight: number, weightOf: (value: V) => number) {
  const entries = new Map<string, CacheEntry<V>>()
  let weight = 0

  const drop = (key: string) => {
    weight -= entries.get(key)?.weight ?? 0
    entries.delete(key)
  }
  const put = (key: string, value: V) => {
    drop(key)
    const entry = { value, weight: weightOf(value), expiresAt: performance.now() + TTL_MS }
    entries.set(key, entry)
    weight += entry.weight
    // A map iterates in insertion order, so the least recently used come first.
    for (const [oldest, { expiresAt }] of entries) {
      if (weight <= maxWeight && expiresAt > performance.now()) break
      drop(oldest)
    }
  }
  const get = (key: string): V | undefined => {
    const entry = entries.get(key)
    if (!entry || entry.expiresAt <= performance.now()) return undefined
    put(key, entry.value)
    return entry.value
  }
  return { get, put }
}
