import { expect, test } from 'vitest'
import {
  evaluateClock,
  evaluateDeviation,
  evaluateNoData,
  evaluateShare,
  expectedVehicles,
  MISSING_IMAGES,
  SLOTS,
  slotAt,
  UNREADABLE_PLATES,
} from './health.ts'

// Tuesday, 20 October 2026, 10:00 in Warsaw.
const NOW = new Date('2026-10-20T08:00:00Z')
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)
const all = (perHour: number | null) => Array<number | null>(SLOTS).fill(perHour)

test('the slot follows Warsaw time and the day type', () => {
  expect(slotAt(Date.parse('2026-10-20T08:00Z'))).toBe(10)
  expect(slotAt(Date.parse('2026-10-24T08:00Z'))).toBe(34)
  // Sunday 23:30 in Warsaw is still a weekend, half an hour later it is Monday.
  expect([slotAt(Date.parse('2026-10-25T22:30Z')), slotAt(Date.parse('2026-10-25T23:00Z'))]).toEqual([47, 0])
})

test('expected traffic follows the hours, with the other day type as a fallback', () => {
  const typical = all(null)
  typical[9] = 60
  typical[10] = 120
  // 9:45 to 10:15 in Warsaw: 15 and 30.
  expect(expectedVehicles(typical, new Date('2026-10-20T07:45Z'), new Date('2026-10-20T08:15Z'))).toBe(45)
  expect(expectedVehicles(typical, new Date('2026-10-24T07:45Z'), new Date('2026-10-24T08:15Z'))).toBe(45)
  expect(expectedVehicles(typical, new Date('2026-10-20T03:00Z'), new Date('2026-10-20T04:00Z'))).toBe(0)
})

test.each([
  ['a busy lane after 9 minutes', 9, 300, 'well'],
  ['a busy lane after 10 minutes', 10, 300, 'bad'],
  ['40 an hour after 14 minutes', 14, 40, 'well'],
  ['40 an hour after 15 minutes', 15, 40, 'bad'],
  ['a quiet lane at night after 50 minutes', 50, 10, 'well'],
  ['a quiet lane at night after an hour', 60, 10, 'bad'],
])('no data: %s', (_, minutes, perHour, state) => {
  expect(evaluateNoData({ lastVehicleTime: ago(minutes), recent: 0, typical: all(perHour) }, false, NOW).state).toBe(
    state,
  )
})

test('a lane without traffic or without typical traffic has no result', () => {
  expect(evaluateNoData({ lastVehicleTime: null, recent: 0, typical: all(300) }, false, NOW).state).toBe('unknown')
  expect(evaluateNoData({ lastVehicleTime: ago(300), recent: 0, typical: all(null) }, false, NOW).state).toBe('unknown')
})

test('no-data state ends at a quarter of the typical traffic, not at one stray vehicle', () => {
  // 120 an hour: 20 in 10 minutes.
  const flow = { lastVehicleTime: ago(1), typical: all(120) }
  expect(evaluateNoData({ ...flow, recent: 4 }, true, NOW).state).toBe('bad')
  expect(evaluateNoData({ ...flow, recent: 5 }, true, NOW).state).toBe('well')
  expect(evaluateNoData({ ...flow, recent: 1 }, false, NOW).state).toBe('well')
})

test('a quiet road fails once ten vehicles are missing, or after two weeks', () => {
  const quiet = (perHour: number, minutes: number) => ({
    lastVehicleTime: ago(minutes),
    recent: 0,
    typical: all(perHour),
    addedAt: ago(60 * 1440),
  })
  expect(evaluateNoData(quiet(0.1, 5_999), false, NOW).state).toBe('well')
  expect(evaluateNoData(quiet(0.1, 6_001), false, NOW)).toEqual({
    state: 'bad',
    evidence: { lastVehicleTime: ago(6_001), silentMinutes: 6_001, expectedVehicles: 10 },
  })
  // So does a lane.
  const { addedAt: _, ...lane } = quiet(0.1, 6_001)
  expect(evaluateNoData(lane, false, NOW).state).toBe('bad')
  // 3.4 vehicles in two weeks.
  expect(evaluateNoData(quiet(0.01, 14 * 1440 - 1), false, NOW).state).toBe('well')
  expect(evaluateNoData(quiet(0.01, 14 * 1440), false, NOW)).toMatchObject({
    state: 'bad',
    evidence: { silentMinutes: 20_160, expectedVehicles: null },
  })
  // A month ago, whether its failure is known or not.
  for (const wasFailing of [true, false])
    expect(evaluateNoData(quiet(20, 30 * 1440), wasFailing, NOW)).toMatchObject({
      state: 'bad',
      evidence: { silentMinutes: 43_200, expectedVehicles: 6_720 },
    })
  // Nothing is expected before the portal watched it.
  expect(evaluateNoData({ ...quiet(0.1, 9_000), watchedSince: ago(600) }, false, NOW).state).toBe('well')
})

test('a road without traffic at weekends does not fail on them', () => {
  const typical = all(0).map((_, slot) => (slot >= 6 && slot < 18 ? 20 : 0))
  // Friday, 17:59 in Warsaw.
  const lastVehicleTime = new Date('2026-10-16T15:59:00Z')
  const flow = { lastVehicleTime, recent: 0, typical, addedAt: ago(60 * 1440) }
  const state = (at: string) => evaluateNoData(flow, false, new Date(at)).state
  expect(['2026-10-17T16:30:00Z', '2026-10-18T21:59:00Z', '2026-10-19T04:28:00Z'].map(state)).toEqual([
    'well',
    'well',
    'well',
  ])
  // On Monday 10 vehicles are missing by 6:30.
  expect(state('2026-10-19T04:30:00Z')).toBe('bad')
})

test('a station of which not every hour of the day is known fails after a day, a lane does not', () => {
  const typical = all(null)
  typical[9] = 3
  const lane = { recent: 0, typical }
  const station = (minutes: number) => ({ ...lane, lastVehicleTime: ago(minutes), addedAt: ago(1500) })
  expect(evaluateNoData(station(1439), false, NOW).state).toBe('well')
  expect(evaluateNoData(station(1440), false, NOW)).toEqual({
    state: 'bad',
    evidence: { lastVehicleTime: ago(1440), silentMinutes: 1440, expectedVehicles: null },
  })
  expect(evaluateNoData({ ...lane, lastVehicleTime: ago(1440) }, false, NOW).state).toBe('well')
  expect(evaluateNoData({ ...station(1440), watchedSince: ago(600) }, false, NOW).state).toBe('well')
  // Nothing is known: it was silent for weeks.
  const unknown = (minutes: number) => evaluateNoData({ ...station(minutes), typical: all(null) }, false, NOW)
  expect([unknown(30_000).state, unknown(30_000).evidence.expectedVehicles]).toEqual(['bad', null])
  expect(unknown(300).state).toBe('unknown')
  // The next vehicle ends it.
  expect(evaluateNoData({ ...station(1), recent: 1 }, true, NOW).state).toBe('well')
})

test('returns the evidence of missing data', () => {
  const { evidence } = evaluateNoData({ lastVehicleTime: ago(25), recent: 0, typical: all(100) }, false, NOW)
  expect(evidence).toEqual({ lastVehicleTime: ago(25), silentMinutes: 25, expectedVehicles: 41.7 })
})

test('a share fails above its limit and recovers only far below', () => {
  const share = (faulty: number, wasFailing: boolean, vehicles = 100) =>
    evaluateShare({ faulty, vehicles }, UNREADABLE_PLATES, wasFailing).state
  expect([share(40, false), share(41, false), share(30, true), share(24, true)]).toEqual(['well', 'bad', 'bad', 'well'])
  expect([share(25, true), share(25, false)]).toEqual(['bad', 'well'])
  expect([share(49, true, 49), share(49, true, 50)]).toEqual(['unknown', 'bad'])
})

test('returns the evidence of a share, with one decimal', () => {
  expect(evaluateShare({ faulty: 1, vehicles: 60 }, UNREADABLE_PLATES, false).evidence).toEqual({
    vehicles: 60,
    sharePercent: 1.7,
  })
  expect(evaluateShare({ faulty: 1, vehicles: 49 }, UNREADABLE_PLATES, false).evidence).toEqual({
    vehicles: 49,
    sharePercent: null,
  })
})

test('missing images fail above half of at least 20 vehicles, and recover below a quarter', () => {
  const missing = (faulty: number, wasFailing: boolean, vehicles = 20) =>
    evaluateShare({ faulty, vehicles }, MISSING_IMAGES, wasFailing).state
  expect([missing(10, false), missing(11, false), missing(5, true), missing(4, true)]).toEqual([
    'well',
    'bad',
    'bad',
    'well',
  ])
  expect(missing(19, true, 19)).toBe('unknown')
})

test.each([
  [0.54, 'well', -0.5],
  [-29, 'well', 29],
  [-30, 'bad', 30],
  [119, 'well', -119],
  [120, 'bad', -120],
  [3_600, 'bad', -3_600],
])('a fastest delivery of %s s makes the clock %s', (fastestSeconds, state, clockSeconds) => {
  const evaluated = evaluateClock({ vehicles: 10, fastestSeconds, rejectedAheadSeconds: null })
  expect([evaluated.state, evaluated.evidence.clockSeconds]).toEqual([state, clockSeconds])
})

test('rejected vehicles from the future reveal clock skew if none is accepted', () => {
  expect(evaluateClock({ vehicles: 0, fastestSeconds: null, rejectedAheadSeconds: 7_200 })).toEqual({
    state: 'bad',
    evidence: { vehicles: 0, clockSeconds: 7_200 },
  })
  expect(evaluateClock({ vehicles: 9, fastestSeconds: 500, rejectedAheadSeconds: null })).toEqual({
    state: 'unknown',
    evidence: { vehicles: 9, clockSeconds: null },
  })
  expect(evaluateClock({ vehicles: 10, fastestSeconds: null, rejectedAheadSeconds: null }).state).toBe('unknown')
})

test('a deviation counts in both directions, and only of enough vehicles', () => {
  const deviation = (deviationPercent: number | null, wasFailing = false, vehicles = 30) =>
    evaluateDeviation({ vehicles, deviationPercent }, wasFailing).state
  expect([deviation(7), deviation(-7.1), deviation(6.5, true), deviation(5.9, true)]).toEqual([
    'well',
    'bad',
    'bad',
    'well',
  ])
  expect([deviation(null), deviation(20, false, 29)]).toEqual(['unknown', 'unknown'])
  expect(deviation(6, true)).toBe('bad')
  const { evidence } = evaluateDeviation({ vehicles: 30, deviationPercent: -7.1 }, false)
  expect(evidence).toEqual({ vehicles: 30, deviationPercent: -7.1 })
})

test('a station that never sent has failed 24 hours after it was added, until its first vehicle', () => {
  const never = { lastVehicleTime: null, recent: 0, typical: all(null) }
  const evaluated = (minutes: number) => evaluateNoData({ ...never, addedAt: ago(minutes) }, false, NOW)
  expect(evaluated(1_439).state).toBe('unknown')
  expect(evaluated(1_440)).toEqual({
    state: 'bad',
    evidence: { lastVehicleTime: null, silentMinutes: 1_440, expectedVehicles: null },
  })
  const sends = { lastVehicleTime: ago(1), recent: 1, typical: all(null), addedAt: ago(2_000) }
  expect(evaluateNoData(sends, true, NOW).state).toBe('well')
  expect(evaluateNoData(sends, false, NOW).state).toBe('unknown')
  const unknown = { lastVehicleTime: ago(1), silentMinutes: null, expectedVehicles: null }
  for (const wasFailing of [true, false]) expect(evaluateNoData(sends, wasFailing, NOW).evidence).toEqual(unknown)
  expect(evaluateNoData({ ...sends, recent: 0 }, true, NOW).state).toBe('unknown')
})
