import { expect, test, vi } from 'vitest'
import { createCache } from './cache.ts'

test('evicts the least recently used values above the maximum weight', () => {
  const memory = createCache<string>(6, ({ length }) => length)
  memory.put('a', 'aaa')
  memory.put('b', 'bb')
  expect(memory.get('a')).toBe('aaa')
  memory.put('c', 'cc')
  expect(['a', 'b', 'c'].map(memory.get)).toEqual(['aaa', undefined, 'cc'])
  memory.put('d', 'ddddddd')
  expect(['a', 'c', 'd'].map(memory.get)).toEqual([undefined, undefined, undefined])
})

test('replaces the previous value of a key', () => {
  const memory = createCache<string>(4, ({ length }) => length)
  memory.put('a', 'aaa')
  memory.put('a', 'a')
  memory.put('b', 'bbb')
  expect(['a', 'b'].map(memory.get)).toEqual(['a', 'bbb'])
})

test('evicts a value after a quarter of an hour without use', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const memory = createCache<number>(10, () => 1)
    memory.put('a', 1)
    memory.put('b', 2)
    vi.advanceTimersByTime(10 * 60_000)
    expect(memory.get('a')).toBe(1)
    vi.advanceTimersByTime(10 * 60_000)
    expect([memory.get('a'), memory.get('b')]).toEqual([1, undefined])
  } finally {
    vi.useRealTimers()
  }
})
