import { expect, test } from 'vitest'
import { clientKey, createRateLimiter } from './rate-limit.ts'

test('refuses a client above the limit until the window ends, but not others', () => {
  const limit = createRateLimiter({ max: 2, seconds: 60 })
  expect(limit('a', 0)).toEqual({ isExceeded: false, secondsLeft: 60 })
  expect(limit('a', 1_000)).toEqual({ isExceeded: false, secondsLeft: 59 })
  expect(limit('a', 59_999)).toEqual({ isExceeded: true, secondsLeft: 1 })
  expect(limit('b', 59_999).isExceeded).toBe(false)
  expect(limit('a', 60_000)).toEqual({ isExceeded: false, secondsLeft: 60 })
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
