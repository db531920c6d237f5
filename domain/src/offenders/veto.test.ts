import { expect, test } from 'vitest'
import { seededRandom } from '../core/random.ts'
import { coincidences, excludeEachOther, isVetoed, type Sighting, vetoWindow } from './veto.ts'

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

test('coincidences are all pairs within the window, the latest first', () => {
  const random = seededRandom(461_014)
  const sightings = (count: number) =>
    Array.from({ length: count }, () => ({ locationId: 1 + random.below(3), at: random.below(500) })).sort(
      (a, b) => a.at - b.at,
    )
  for (let round = 0; round < 50; round++) {
    const [some, others] = [sightings(random.below(20)), sightings(random.below(20))]
    const all = some
      .toReversed()
      .flatMap((one) => others.toReversed().map((other): [Sighting, Sighting] => [one, other]))
      .filter(([one, other]) => Math.abs(one.at - other.at) <= 40)
    expect(coincidences(some, others, 40)).toEqual(all)
  }
})

test('counts the latest 2,000 coincidences', () => {
  const sightings = Array.from({ length: 60 }, (_, at) => ({ locationId: 1, at }))
  const found = coincidences(sightings, sightings, 60)
  expect(found).toHaveLength(2_000)
  expect([found[0], found.at(-1)]).toEqual([
    [sightings[59], sightings[59]],
    [sightings[59 - 33], sightings[59 - 19]],
  ])
})
