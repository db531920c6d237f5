import { expect, test } from 'vitest'
import { canOpen, openingAt } from './opening.ts'

const CREATED = '2026-10-20T08:00:00.000Z'

test.each([
  ['2026-10-20T08:03:00.000Z', '2026-10-20T08:17:59.999Z', 'announced'],
  ['2026-10-20T08:03:00.000Z', '2026-10-20T08:18:00.000Z', 'takenOver'],
  ['2026-10-20T08:03:00.000Z', '2026-10-20T20:03:00.000Z', 'takenOver'],
  ['2026-10-20T08:03:00.000Z', '2026-10-20T20:03:00.001Z', null],
  [null, '2026-10-20T08:14:59.999Z', 'announced'],
  [null, '2026-10-20T08:15:00.000Z', 'takenOver'],
  [null, '2026-10-20T20:00:00.001Z', null],
])('a vehicle at the checkpoint at %s can at %s be %s', (checkpoint, at, expected) => {
  const vehicle = { createdAt: new Date(CREATED), checkpointTime: checkpoint === null ? null : new Date(checkpoint) }
  const now = new Date(at)
  expect(openingAt(vehicle, now)).toBe(expected)
  const states = (['announced', 'takenOver'] as const).filter((state) => canOpen(vehicle, state, now))
  expect(states).toEqual(expected === 'announced' ? ['announced', 'takenOver'] : expected === null ? [] : [expected])
})
