import { expect, test } from 'vitest'
import { isLive, liveUntil } from './live.ts'

const at = (time: string) => new Date(`2026-10-20T${time}Z`)
const detection = { createdAt: at('08:00:00'), checkpointTime: at('08:03:20') }
const withoutCheckpoint = { createdAt: at('08:00:00'), checkpointTime: null }

test('a vehicle is live until ten minutes after its checkpoint time', () => {
  expect(liveUntil(detection, at('08:00:01'))).toBe(at('08:13:20').getTime())
  expect(isLive(detection, at('08:00:01'), at('08:13:19'))).toBe(true)
  expect(isLive(detection, at('08:00:01'), at('08:13:20'))).toBe(false)
})

test('a late vehicle is live only if its checkpoint is still ahead', () => {
  expect(isLive(detection, at('08:03:19'), at('08:03:19'))).toBe(true)
  expect(isLive(detection, at('08:03:19'), at('08:10:00'))).toBe(true)
  expect(isLive(detection, at('08:03:20'), at('08:03:20'))).toBe(false)
})

test('a prompt vehicle is live even if the checkpoint is seconds away', () => {
  const near = { createdAt: at('08:00:00'), checkpointTime: at('08:00:05') }
  expect(isLive(near, at('08:00:09'), at('08:00:09'))).toBe(true)
  expect(isLive(near, at('08:01:00'), at('08:01:00'))).toBe(true)
  expect(isLive(near, new Date(at('08:01:00').getTime() + 1), at('08:01:01'))).toBe(false)
})

test('without a checkpoint a vehicle is live for ten minutes after it was measured', () => {
  expect(isLive(withoutCheckpoint, at('08:09:00'), at('08:09:59'))).toBe(true)
  expect(isLive(withoutCheckpoint, at('08:09:00'), at('08:10:00'))).toBe(false)
})

test('a clock that runs ahead does not keep a vehicle off the list', () => {
  expect(isLive(detection, at('07:56:00'), at('07:56:00'))).toBe(true)
})
