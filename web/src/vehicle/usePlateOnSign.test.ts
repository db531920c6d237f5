import { expect, test } from 'vitest'
import { nextPollMs } from './usePlateOnSign.ts'

const CHECKPOINT = '2026-10-20T08:15:24.000Z'
const at = (time: string) => Date.parse(`2026-10-20T${time}Z`)

test('the sign is asked about each second until the checkpoint, and once behind it', () => {
  expect(nextPollMs(CHECKPOINT, at('08:10:00'))).toBe(1_000)
  expect(nextPollMs(CHECKPOINT, at('08:15:24.500'))).toBe(1_000)
  expect(nextPollMs(CHECKPOINT, at('08:15:25'))).toBe(false)
})

test('a vehicle that never comes to a checkpoint is asked about once', () => {
  expect(nextPollMs(null, at('08:10:00'))).toBe(false)
})
