import { expect, test } from 'vitest'
import { createLateness } from './lateness.ts'

/** Whether streams are held back after parts that were late by so many seconds, ten seconds apart; `begin`: another stream. */
function afterParts(...parts: (number | 'begin')[]): boolean {
  const lateness = createLateness()
  let now = 0
  return parts
    .map((part) => {
      if (part === 'begin') return lateness.begin()
      now += 10_000
      return lateness.isHeldBack(now - part * 1_000 - 1_000_000, now)
    })
    .some((isHeldBack) => isHeldBack === true)
}

test('late parts of streams that replaced each other count together', () => {
  expect(afterParts('begin', 0, 8, 'begin', 0, 8, 'begin', 0, 8)).toBe(true)
})

test.each([
  ['two late parts', [0, 8, 8]],
  ['a part in time between late ones', [0, 8, 8, 1, 8, 8]],
  ['streams that are all equally late', ['begin', 8, 8, 8, 'begin', 20, 20, 20]],
  ['parts that are hardly late', [0, 4, 4, 4, 4]],
] as const)('%s are no reason to give up', (_name, parts) => {
  expect(afterParts(...parts)).toBe(false)
})

test('three late parts in succession are a reason to give up', () => {
  expect(afterParts(0, 6, 7, 8)).toBe(true)
})
