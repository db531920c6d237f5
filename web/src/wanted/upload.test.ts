import { beforeEach, expect, test, vi } from 'vitest'
import { ApiFailure, ServerUnavailable } from '../core/failure.ts'
import { endSession, startSession } from '../core/session.ts'
import { type PlateRow, plateRows } from './csv.ts'
import { createUpload } from './upload.ts'

const activityTimes: number[] = []
vi.mock('../core/inactivity.ts', () => ({ stayActive: () => void activityTimes.push(Date.now()) }))

const file = (text: string) => new Blob([text])
const apiFailure = (status: number, userMessage = '') =>
  new ApiFailure('', status, [{ path: null, code: 'conflict', userMessage }], null)
const createPlateUpload = () => createUpload<PlateRow>(plateRows, ({ plate, description }) => `${plate};${description}`)

beforeEach(() => {
  startSession('token')
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

test('sends rows in order, keeps the rejected ones and clears the rest', async () => {
  const upload = createPlateUpload()
  await upload.read(file('WX1;a\nWX2;b\nbad\nWX3;c'))
  expect(upload.store.get().pending.map(({ plate }) => plate)).toEqual(['WX1', 'WX2', 'WX3'])
  const sent: string[] = []
  const added = await upload.submit(async ({ plate }) => {
    sent.push(plate)
    if (plate === 'WX2') throw apiFailure(409, 'On the list already.')
  })
  expect([sent, added]).toEqual([['WX1', 'WX2', 'WX3'], 2])
  expect(upload.store.get()).toMatchObject({
    pending: [],
    added: 2,
    running: null,
    rejected: [
      { line: 3, text: 'bad', error: 'too-few-columns' },
      { line: 2, text: 'WX2;b', message: 'On the list already.' },
    ],
  })
  upload.dismiss()
  expect(upload.store.get().rejected).toEqual([])
})

test('a removed row is not sent', async () => {
  const upload = createPlateUpload()
  await upload.read(file('WX1;a\nWX2;b'))
  upload.remove(1)
  const sent: string[] = []
  await upload.submit(async ({ plate }) => sent.push(plate))
  expect(sent).toEqual(['WX2'])
})

test('retries a rate-limited row', async () => {
  vi.useFakeTimers()
  const upload = createPlateUpload()
  await upload.read(file('WX1;a'))
  const send = vi.fn().mockRejectedValueOnce(apiFailure(429)).mockResolvedValue(undefined)
  const submitting = upload.submit(send)
  await vi.runAllTimersAsync()
  expect(await submitting).toBe(1)
  expect(send).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})

test('keeps unsent rows after cancelling or when the server is unavailable', async () => {
  const upload = createPlateUpload()
  await upload.read(file('WX1;a\nWX2;b\nWX3;c'))
  await upload.submit(async ({ plate }) => {
    if (plate === 'WX2') throw new ServerUnavailable('unavailable')
  })
  expect(upload.store.get().pending.map(({ plate }) => plate)).toEqual(['WX2', 'WX3'])
  expect(upload.store.get().error).toBeInstanceOf(ServerUnavailable)
  await upload.submit(async () => upload.cancel())
  expect(upload.store.get()).toMatchObject({ pending: [{ plate: 'WX3' }], running: null, error: null, added: 2 })
})

test('a long upload counts as activity', async () => {
  vi.useFakeTimers({ now: 0 })
  activityTimes.splice(0)
  const upload = createPlateUpload()
  await upload.read(file('WX1;a\nWX2;b\nWX3;c'))
  const submitting = upload.submit(() => new Promise((sent) => setTimeout(sent, 4 * 60_000)))
  await vi.runAllTimersAsync()
  expect(await submitting).toBe(3)
  // The session ends after five minutes without activity.
  const minutes = activityTimes.map((at) => Math.floor(at / 60_000))
  expect(minutes).toEqual([4, 8, 12])
  vi.useRealTimers()
})

test('shows only why the latest file could not be read', async () => {
  const upload = createPlateUpload()
  const unreadable = Object.assign(file('WX1;a'), { arrayBuffer: () => Promise.reject(new Error('changed')) })
  const tooLarge = new Blob([new Uint8Array(5 * 1024 * 1024 + 1)])
  await upload.read(unreadable)
  await upload.read(tooLarge)
  expect(upload.store.get()).toMatchObject({ tooLarge: true, unreadable: false })
  await upload.read(unreadable)
  expect(upload.store.get()).toMatchObject({ tooLarge: false, unreadable: true })
})

test('stops when the session ends', async () => {
  const upload = createPlateUpload()
  await upload.read(file('WX1;a\nWX2;b'))
  await upload.submit(async () => endSession(null))
  expect(upload.store.get()).toMatchObject({ pending: [], rejected: [], running: null })
})
