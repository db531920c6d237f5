import { expect, test } from 'vitest'
import { downsample } from './downsample.ts'
import { periodsOf, type Resolution } from './periods.ts'

const minutes: Resolution = { unit: 'minute', value: 1 }
const [from, end] = [new Date('2026-10-20T06:17:00Z'), new Date('2026-10-20T08:00:00Z')]
const starts = periodsOf(from, end, minutes)
const rising = starts.map((_, i) => i)

test('keeps series that fit', () => {
  const { resolution, series } = downsample({ statName: 'traffic', resolution: minutes, end }, starts, [rising], 200)
  expect([resolution, series]).toEqual([minutes, [rising]])
})

test('joins periods at round times into the mean of the known figures', () => {
  const gappy = rising.map((value) => (value === 4 ? null : value))
  const downsampled = downsample({ statName: 'avgSpeed', resolution: minutes, end }, starts, [rising, gappy], 30)
  expect(downsampled.resolution).toEqual({ unit: 'minute', value: 5 })
  expect(downsampled.starts.slice(0, 3).map((start) => start.toISOString().slice(11, 16))).toEqual([
    '06:17',
    '06:20',
    '06:25',
  ])
  expect(downsampled.series.map((values) => values.slice(0, 2))).toEqual([
    [1, 5],
    [1, 5.25],
  ])
})

test('keeps extremes, and gaps of whole groups', () => {
  const [low] = downsample({ statName: 'minSpeed', resolution: minutes, end }, starts, [rising], 30).series
  const [high] = downsample({ statName: 'maxTotalLoad', resolution: minutes, end }, starts, [rising], 30).series
  expect([low?.[1], high?.[1]]).toEqual([3, 7])
  const empty = downsample({ statName: 'minSpeed', resolution: minutes, end }, starts, [rising.map(() => null)], 30)
  expect(new Set(empty.series[0])).toEqual(new Set([null]))
})

test('downsamples ten thousand minutes without changing the total', () => {
  const long = periodsOf(new Date('2026-10-19T00:00Z'), new Date('2026-10-25T22:40Z'), minutes)
  const downsampled = downsample(
    { statName: 'traffic', resolution: minutes, end: new Date('2026-10-25T22:40Z') },
    long,
    [long.map(() => 6)],
    450,
  )
  expect(downsampled.starts.length).toBeLessThanOrEqual(450)
  expect(new Set(downsampled.series[0])).toEqual(new Set([6]))
})

test('groups steps of seven minutes by multiples of seven', () => {
  const sevens = { unit: 'minute', value: 7 } as const
  const day = periodsOf(new Date('2026-10-19T22:00Z'), new Date('2026-10-20T22:00Z'), sevens)
  const downsampled = downsample(
    { statName: 'traffic', resolution: sevens, end: new Date('2026-10-20T22:00Z') },
    day,
    [day.map(() => 1)],
    50,
  )
  expect(downsampled.resolution.value).toBe(35)
})

test.each<[string, string, Resolution, number, Resolution['value'], number]>([
  ['2026-10-19T22:00Z', '2026-10-20T22:00Z', { unit: 'minute', value: 1 }, 100, 15, 96],
  ['2026-10-05T22:00Z', '2026-10-12T22:00Z', { unit: 'hour', value: 1 }, 50, 4, 42],
  ['2025-12-31T23:00Z', '2026-12-31T23:00Z', { unit: 'day', value: 1 }, 50, 10, 37],
  ['2005-12-31T23:00Z', '2026-12-31T23:00Z', { unit: 'month', value: 1 }, 50, 6, 42],
  ['1826-12-31T23:00Z', '2026-12-31T23:00Z', { unit: 'year', value: 1 }, 50, 5, 40],
  ['2026-10-05T22:00Z', '2026-10-12T22:00Z', { unit: 'hour', value: 2 }, 50, 4, 42],
  // 80 periods: 6 minutes come before the next round time, 15.
  ['2026-10-20T06:00Z', '2026-10-20T10:00Z', { unit: 'minute', value: 3 }, 45, 6, 40],
  // As many as allowed.
  ['2026-10-20T06:00Z', '2026-10-20T10:00Z', { unit: 'minute', value: 3 }, 40, 6, 40],
  // 20 days and 50 years are round, 25 days and 40 years are not.
  ['2025-12-31T23:00Z', '2026-12-31T23:00Z', { unit: 'day', value: 5 }, 20, 20, 19],
  ['1026-12-31T23:00Z', '2026-12-31T23:00Z', { unit: 'year', value: 2 }, 22, 50, 20],
  ['2026-10-05T22:00Z', '2026-10-07T22:00Z', { unit: 'hour', value: 1 }, 48, 1, 48],
  ['2026-10-05T22:00Z', '2026-10-07T22:00Z', { unit: 'hour', value: 1 }, 47, 2, 24],
])('from %s to %s, %o in at most %i periods are joined by %i', (first, last, resolution, most, value, count) => {
  const until = new Date(last)
  const all = periodsOf(new Date(first), until, resolution)
  const joined = downsample({ statName: 'traffic', resolution, end: until }, all, [all.map(() => 1)], most)
  expect([joined.resolution, joined.starts.length, joined.series[0]?.length]).toEqual([
    { unit: resolution.unit, value },
    count,
    count,
  ])
})

test('joins all into one period if no step is coarse enough', () => {
  const joined = downsample({ statName: 'traffic', resolution: minutes, end }, starts, [rising], 0)
  expect(joined.resolution).toEqual({ unit: 'minute', value: 103 })
  expect([joined.starts, joined.series]).toEqual([[from], [[51]]])
})
