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
  const states = (['announced', 'takenOver'] as const).filter((state) => canOpen(vehicle, state, { at: now, now }))
  expect(states).toEqual(expected === 'announced' ? ['announced', 'takenOver'] : expected === null ? [] : [expected])
})

test.each([
  ['08:17:59.999', '08:17:59.999', ['announced', 'takenOver']],
  ['08:17:59.999', '08:32:59.999', ['announced', 'takenOver']],
  // A phone without connection may be late by 15 minutes.
  ['08:17:59.999', '08:33:00.000', ['takenOver']],
  ['08:05:00.000', '20:00:00.000', ['takenOver']],
  ['08:18:00.000', '08:18:00.000', ['takenOver']],
])('a vehicle at the checkpoint at 08:03 can at %s, sent at %s, be %s', (at, now, expected) => {
  const [created, checkpoint, entered, sent] = ['08:00:00.000', '08:03:00.000', at, now].map(
    (time) => new Date(`2026-10-20T${time}Z`),
  ) as [Date, Date, Date, Date]
  const vehicle = { createdAt: created, checkpointTime: checkpoint }
  const states = (['announced', 'takenOver'] as const).filter((state) =>
    canOpen(vehicle, state, { at: entered, now: sent }),
  )
  expect(states).toEqual(expected)
})
