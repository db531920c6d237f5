import { expect, test } from 'vitest'
import { isApproaching, opensHit, openUntil, unansweredOutcome } from './openHit.ts'

const starts = ['06:00', '14:00', '22:00']
const until = (createdAt: string, checkpointTime: string | null = null) =>
  new Date(
    openUntil(starts, {
      createdAt: new Date(createdAt),
      checkpointTime: checkpointTime ? new Date(checkpointTime) : null,
    }),
  ).toISOString()

test('a hit stays open until the shift ends, at least an hour, and not before the checkpoint', () => {
  // 10:00 in Warsaw in summer: the shift ends at 14:00.
  expect(until('2026-10-20T08:00:00Z')).toBe('2026-10-20T12:00:00.000Z')
  expect(until('2026-10-20T11:30:00Z')).toBe('2026-10-20T12:30:00.000Z')
  expect(until('2026-10-20T11:30:00Z', '2026-10-20T12:40:00Z')).toBe('2026-10-20T12:40:00.000Z')
  // The clock goes back at 03:00: the night shift has nine hours, and ends at 06:00 in winter time.
  expect(until('2026-10-24T20:00:00Z')).toBe('2026-10-25T05:00:00.000Z')
})

test('a vehicle opens a hit up to an hour after its measurement', () => {
  const createdAt = new Date('2026-10-20T08:00:00Z')
  expect(opensHit(createdAt, new Date('2026-10-20T09:00:00Z'))).toBe(true)
  expect(opensHit(createdAt, new Date('2026-10-20T09:00:00.001Z'))).toBe(false)
})

test('a vehicle approaches until its checkpoint, never without one', () => {
  const checkpointTime = new Date('2026-10-20T08:03:00Z')
  expect(isApproaching({ checkpointTime }, new Date('2026-10-20T08:02:59.999Z'))).toBe(true)
  expect(isApproaching({ checkpointTime }, checkpointTime)).toBe(false)
  expect(isApproaching({ checkpointTime: null }, checkpointTime)).toBe(false)
})

test('a hit without an answer is open until its end, untaken after it, and late if its vehicle came too late', () => {
  const createdAt = new Date('2026-10-20T11:30:00Z')
  const times = { checkpointTime: null, receivedAt: new Date('2026-10-20T11:30:02Z') }
  const at = (now: string, received: Partial<typeof times> | null = {}) =>
    unansweredOutcome(starts, createdAt, received ? { ...times, ...received } : undefined, new Date(now))
  expect(at('2026-10-20T11:30:02Z')).toBe('open')
  expect(at('2026-10-20T12:29:59.999Z')).toBe('open')
  expect(at('2026-10-20T12:30:00Z')).toBe('untaken')
  expect(at('2026-10-20T12:31:00Z', { receivedAt: new Date('2026-10-20T12:30:01Z') })).toBe('late')
  // Its vehicle is deleted.
  expect(at('2026-10-20T11:30:02Z', null)).toBe('untaken')
})
