import { expect, test } from 'vitest'
import { acceptance } from './acceptance.ts'

test.each([
  ['now', '2026-10-20T06:00:00.000Z', 'accepted'],
  ['hours late', '2026-10-19T20:00:00.000Z', 'accepted'],
  ['a clock 5 minutes ahead', '2026-10-20T06:05:00.000Z', 'accepted'],
  ['a clock further ahead', '2026-10-20T06:05:00.001Z', 'measurement-in-the-future'],
  ['a date in 2040', '2040-01-01T00:00:00.000Z', 'measurement-in-the-future'],
  ['as old as the retention', '2026-10-10T06:00:00.000Z', 'accepted'],
  ['older than the retention', '2026-10-10T05:59:59.999Z', 'measurement-too-old'],
])('%s', (_, createdAt, expected) => {
  expect(acceptance(new Date(createdAt), new Date('2026-10-20T06:00:00.000Z'), 10)).toBe(expected)
})
