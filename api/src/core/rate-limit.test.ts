import { expect, test } from 'vitest'
import { clientKey, createRateLimits } from './rate-limit.ts'

test('refuses a client above the limit until the window ends, but not others', () => {
  let time = 0
  const limit = createRateLimits(() => new Date(time)).limiter('requests', { max: 2, seconds: 60 })
  const at = (key: string, ms: number) => {
    time = ms
    return limit(key)
  }
  expect(at('a', 0)).toEqual({ isExceeded: false, secondsLeft: 60 })
  expect(at('a', 1_000)).toEqual({ isExceeded: false, secondsLeft: 59 })
  expect(at('a', 59_999)).toEqual({ isExceeded: true, secondsLeft: 1 })
  expect(at('b', 59_999).isExceeded).toBe(false)
  expect(at('a', 60_000)).toEqual({ isExceeded: false, secondsLeft: 60 })
  // The clock was set back.
  expect(at('a', 0)).toEqual({ isExceeded: false, secondsLeft: 60 })
})

test('groups IPv6 addresses by their /64 network, and IPv4 in any notation', () => {
  expect(clientKey('203.0.113.9')).toBe('203.0.113.9')
  expect(clientKey('::ffff:203.0.113.9')).toBe('203.0.113.9')
  const neighbours = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:db8:1:2:3:4:5:6']
  expect(new Set(neighbours.map(clientKey))).toEqual(new Set(['2001:db8:1:2']))
  expect(clientKey('2001:db8:1:3::1')).toBe('2001:db8:1:3')
  expect(clientKey('2001:db8::2:0:0:0:1')).toBe('2001:db8:0:2')
  expect(clientKey('::1')).toBe('0:0:0:0')
})
