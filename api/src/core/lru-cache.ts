import { LRUCache } from 'lru-cache'

/**
 * An LRU cache of at most `max` values, whose memory grows with them: with its option `max` the library allocates that of
 * all at once, 8 ms and 1.2 MB for 50,000.
 */
export const createLruCache = <V extends object | string>(max: number) =>
  new LRUCache<string, V>({ maxSize: max, sizeCalculation: () => 1 })
