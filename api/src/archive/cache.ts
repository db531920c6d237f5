/** So long what a search has worked out is kept after its last use. */
const LIFE_MS = 15 * 60_000

type CacheEntry<V> = { value: V; weight: number; until: number }

/** Remembers what was used last, up to a weight, for a quarter of an hour. */
export function createCache<V>(most: number, weightOf: (value: V) => number) {
  const entries = new Map<string, CacheEntry<V>>()
  let weight = 0

  const drop = (key: string) => {
    weight -= entries.get(key)?.weight ?? 0
    entries.delete(key)
  }
  const put = (key: string, value: V) => {
    drop(key)
    const entry = { value, weight: weightOf(value), until: performance.now() + LIFE_MS }
    entries.set(key, entry)
    weight += entry.weight
    // The oldest come first.
    for (const [oldest, { until }] of entries) {
      if (weight <= most && until > performance.now()) break
      drop(oldest)
    }
  }
  const get = (key: string): V | undefined => {
    const entry = entries.get(key)
    if (!entry || entry.until <= performance.now()) return undefined
    put(key, entry.value)
    return entry.value
  }
  return { get, put }
}
