import { expect, test } from 'vitest'
import { excludeEachOther, isVetoed, vetoWindow } from './veto.ts'

const HOUR = 3_600_000
const distanceBetween = (from: number, to: number) => (from === 9 || to === 9 ? null : 100 * Math.abs(from - to))

test.each([
  [1, 1, 60_000, true],
  [1, 1, 60_001, false],
  [1, 1, -60_000, true],
  [1, 2, (100 / 150) * HOUR, false],
  [1, 2, (100 / 150) * HOUR - 1, true],
  [2, 1, 1 - (100 / 150) * HOUR, true],
  [1, 2, 0, true],
  [1, 3, 1 * HOUR, true],
  [1, 3, 2 * HOUR, false],
  [1, 9, 0, false],
])('detections at stations %s and %s within %s ms exclude each other: %s', (from, to, ms, excluded) => {
  const at = Date.UTC(2026, 9, 20)
  expect(excludeEachOther({ locationId: from, at }, { locationId: to, at: at + ms }, distanceBetween)).toBe(excluded)
})

test('one detection of each is enough', () => {
  const far = [
    { locationId: 1, at: 0 },
    { locationId: 1, at: 10 * HOUR },
  ]
  expect(isVetoed(far, [{ locationId: 2, at: 10.5 * HOUR }], distanceBetween)).toBe(true)
  expect(isVetoed([{ locationId: 2, at: 9.5 * HOUR }], far, distanceBetween)).toBe(true)
  expect(isVetoed(far, [{ locationId: 2, at: 5 * HOUR }], distanceBetween)).toBe(false)
  expect(isVetoed(far, [], distanceBetween)).toBe(false)
})

test('no veto is possible outside the window', () => {
  expect(vetoWindow(900)).toBe(6 * HOUR)
  expect(vetoWindow(1)).toBe(60_000)
  const [first, last] = [
    { locationId: 0, at: 0 },
    { locationId: 9, at: vetoWindow(900) },
  ]
  expect(excludeEachOther(first, last, () => 900)).toBe(false)
  expect(excludeEachOther(first, { ...last, at: last.at - 1 }, () => 900)).toBe(true)
})
