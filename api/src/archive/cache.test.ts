import { expect, test, vi } from 'vitest'
import { createCache } from './cache.ts'

const value = (length: number) => ({ length })
const cacheOf = (maxWeight: number) => createCache<{ length: number }>(maxWeight, ({ length }) => length)
/** The weights of cached values. */
const weights = (cache: ReturnType<typeof cacheOf>, ...keys: string[]) => keys.map((key) => cache.get(key)?.length)

test('evicts the least recently used values above the maximum weight', () => {
  const cache = cacheOf(6)
  cache.set('a', value(3))
  cache.set('b', value(2))
  expect(weights(cache, 'a')).toEqual([3])
  cache.set('c', value(2))
  expect(weights(cache, 'a', 'b', 'c')).toEqual([3, undefined, 2])
})

test('does not keep a value above the maximum weight', () => {
  const cache = cacheOf(6)
  cache.set('a', value(3))
  cache.set('b', value(7))
  expect(weights(cache, 'a', 'b')).toEqual([3, undefined])
})

test('keeps an empty value', () => {
  const cache = cacheOf(6)
  cache.set('a', value(0))
  expect(weights(cache, 'a')).toEqual([0])
})

test('replaces the previous value of a key', () => {
  const cache = cacheOf(4)
  cache.set('a', value(3))
  cache.set('a', value(1))
  cache.set('b', value(3))
  expect(weights(cache, 'a', 'b')).toEqual([1, 3])
})

test('evicts a value after a quarter of an hour without use', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  try {
    const cache = cacheOf(10)
    // The library takes a time of 0 for none.
    vi.advanceTimersByTime(1)
    cache.set('a', value(1))
    cache.set('b', value(2))
    vi.advanceTimersByTime(10 * 60_000)
    expect(weights(cache, 'a')).toEqual([1])
    vi.advanceTimersByTime(10 * 60_000)
    expect(cache.size).toBe(1)
    expect(weights(cache, 'a', 'b')).toEqual([1, undefined])
  } finally {
    vi.useRealTimers()
  }
})
