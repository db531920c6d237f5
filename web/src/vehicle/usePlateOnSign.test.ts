import { expect, test } from 'vitest'
import { nextPollMs } from './usePlateOnSign.ts'

const CHECKPOINT = '2026-10-20T08:15:24.000Z'
const at = (time: string) => Date.parse(`2026-10-20T${time}Z`)

test('polls every second until the checkpoint, and once after it', () => {
  expect(nextPollMs(CHECKPOINT, at('08:10:00'))).toBe(1_000)
  expect(nextPollMs(CHECKPOINT, at('08:15:24.500'))).toBe(1_000)
  expect(nextPollMs(CHECKPOINT, at('08:15:25'))).toBe(false)
})

test('polls once for a vehicle without a checkpoint', () => {
  expect(nextPollMs(null, at('08:10:00'))).toBe(false)
})
