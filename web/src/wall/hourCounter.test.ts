import { expect, test } from 'vitest'
import { createHourCounter } from './hourCounter.ts'

const NOON = Date.parse('2026-10-20T12:00:00Z')
const minutes = (count: number) => NOON + count * 60_000

test('each vehicle counts once for an hour, also if a later list contains it again', () => {
  const counter = createHourCounter()
  counter.add('1', NOON)
  counter.add('2', minutes(5))
  expect(counter.count(minutes(6))).toBe(2)
  counter.add('1', NOON)
  counter.add('2', minutes(5))
  expect(counter.count(minutes(10))).toBe(2)
  expect(counter.count(minutes(59))).toBe(2)
  expect(counter.count(minutes(60))).toBe(1)
  expect(counter.count(minutes(65))).toBe(0)
})
