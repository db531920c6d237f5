import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { LRUCache } from 'lru-cache'

/** Time to live after the last use. */
const TTL_MS = 15 * MINUTE_MS

/** LRU cache with a maximum total weight and a TTL. A value above the maximum is not kept. */
export const createCache = <V extends object>(maxWeight: number, weightOf: (value: V) => number) =>
  new LRUCache<string, V>({
    maxSize: maxWeight,
    // The library requires a positive size.
    sizeCalculation: (value) => Math.max(1, weightOf(value)),
    ttl: TTL_MS,
    updateAgeOnGet: true,
    // An idle process keeps none.
    ttlAutopurge: true,
    ttlResolution: 0,
    perf: { now: () => performance.now() },
  })
