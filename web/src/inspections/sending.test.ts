import type { WireInspection } from '@rogatka/contract/inspections.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../core/queryClient.ts'
import { endSession, session, setSessionUser, startSession } from '../core/session.ts'
import { closingOf, shownOutcome } from './closing.ts'
import { deletePhotos, readPhoto, storePhotos } from './photoStore.ts'
import { openRandom } from './randomRequest.ts'
import { discardRefused, retryRefused, sendUnsent } from './sending.ts'
import { deleteOldWork } from './storedWork.ts'
import { appendStep, changeWork, followWork, NO_OUTCOME, work, workOf } from './work.ts'

const NOW = vi.hoisted(() => {
  const now = Date.parse('2026-10-20T08:00:00Z')
  // The server's clock follows that of the device from its import on.
  vi.useFakeTimers({ now })
  return now
})
const HOUR_MS = 3_600_000
const [FIRST, SECOND] = [31, 32]

/** The portal as the device reaches it: not at all, without an answer, or well. */
let connection: 'cut' | 'answerLost' | 'up'
let stored: WireInspection
let digest: string
/** What reached the portal. */
let requests: { name: string; body: Record<string, unknown>; key: string | null }[]
/** Inspections that were opened, by idempotency key. */
let opened: Map<string, number>
/** Time in the responses of the portal; null: they have none. */
let answeredAt: Date | null
/** Refuses steps of this name. */
let refusedStep: string | null
let storage: Map<string, string>
let cached: Map<string, Response>
/** Ends the writing of photos; null: they are written at once. */
let finishWriting: (() => void) | null
let stop: () => void

const errorOf = (code: string) => [{ path: null, code, userMessage: code }]

function answer(name: string, body: Record<string, unknown>, key: string | null): Response {
  const isRandom = name === 'inspections'
  if (isRandom) {
    const id = opened.get(key as string) ?? opened.size + 100
    opened.set(key as string, id)
    return Response.json({ id, number: `K/${id}/2026/ZAB`, version: 1, sign: null })
  }
  if (name === refusedStep) return Response.json(errorOf('state-not-allowed'), { status: 422 })
  if (name === 'photos') {
    if (stored.state === 'closed') return Response.json(errorOf('state-not-allowed'), { status: 422 })
    stored = { ...stored, photos: [...stored.photos, { number: stored.photos.length + 1, type: 'image/png', size: 1 }] }
    return Response.json(stored)
  }
  const sent = JSON.stringify([name, body])
  if (body.version === stored.version - 1 && sent === digest) return Response.json(stored)
  if (body.version !== stored.version) return Response.json(errorOf('version-outdated'), { status: 409 })
  digest = sent
  const state = ({ 'take-over': 'takenOver', weighing: 'weighed', close: 'closed' } as const)[name as 'close']
  stored = { ...stored, ...(name === 'close' && body), state, version: stored.version + 1 }
  return Response.json(stored)
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  connection = 'up'
  digest = ''
  requests = []
  opened = new Map()
  refusedStep = null
  answeredAt = null
  finishWriting = null
  storage = new Map()
  cached = new Map()
  stored = {
    id: 7,
    version: 1,
    state: 'announced',
    announced: { at: new Date(NOW - HOUR_MS).toISOString(), by: { id: 1, username: 'a' } },
    takenOverAt: null,
    weighed: null,
    reopened: null,
    photos: [],
  } as unknown as WireInspection
  vi.stubGlobal(
    'localStorage',
    new Proxy(
      {
        getItem: (key: string) => storage.get(key) ?? null,
        setItem: (key: string, value: string) => void storage.set(key, value),
        removeItem: (key: string) => void storage.delete(key),
      },
      {
        ownKeys: () => [...storage.keys()],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      },
    ),
  )
  vi.stubGlobal('caches', {
    has: async () => true,
    open: async () => ({
      put: async (url: string, response: Response) => {
        if (finishWriting)
          await new Promise<void>((done) => {
            finishWriting = done
          })
        cached.set(url, response)
      },
      match: async (url: string) => cached.get(url)?.clone(),
      delete: async (at: string | { url: string }) =>
        cached.delete(typeof at === 'string' ? at : new URL(at.url).pathname),
      keys: async () => [...cached.keys()].map((url) => ({ url: `https://portal.test${url}` })),
    }),
  })
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal('fetch', async (url: string, { method, body, headers }: RequestInit) => {
    if (connection === 'cut') throw new TypeError('Failed to fetch')
    if (method === 'GET')
      return Response.json(stored, { headers: answeredAt ? { date: answeredAt.toUTCString() } : {} })
    const name = url.split('/').at(-1) as string
    const parsed = typeof body === 'string' ? JSON.parse(body) : {}
    const key = (headers as Headers).get('idempotency-key')
    requests.push({ name, body: parsed, key })
    const response = answer(name, parsed, key)
    if (connection === 'answerLost') throw new TypeError('Failed to fetch')
    return response
  })
  queryClient.clear()
  stop = followWork()
  signIn(FIRST)
})

afterEach(() => {
  stop()
  endSession(null)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function signIn(userId: number) {
  startSession(`token of ${userId}`)
  setSessionUser(userId)
}

const unsent = () => workOf(work.get(), 7)
const names = () => requests.map(({ name }) => name)
/** Until nothing is being sent: attempts without an answer are repeated after 5 s at most. */
const settle = () => vi.advanceTimersByTimeAsync(30_000)

function takeStep(step: Parameters<typeof appendStep>[1]) {
  appendStep(7, step)
  sendUnsent()
}

const weights = (gross: number) => ({ step: 'weighing', body: { scaleId: 1, gross } }) as const
const photo = (name: string) => new File([name], `${name}.png`, { type: 'image/png' })

test('steps that never reached the portal are sent in their order, with the times of their entry', async () => {
  connection = 'cut'
  takeStep({ step: 'take-over', body: {} })
  await settle()
  const weighedAt = new Date().toISOString()
  takeStep(weights(41_000))
  await settle()
  expect(requests).toEqual([])
  expect(unsent().unsent).toHaveLength(2)

  connection = 'up'
  await settle()
  expect(requests.map(({ name, body }) => [name, body.version, body.at])).toEqual([
    ['take-over', 1, new Date(NOW).toISOString()],
    ['weighing', 2, weighedAt],
  ])
  expect(unsent().unsent).toEqual([])
})

test('attempts without an answer keep their delays when the entry changes', async () => {
  stored = { ...stored, state: 'takenOver' }
  connection = 'answerLost'
  // As on every page, which loads this module at a change.
  const unsubscribe = work.subscribe(() => void setTimeout(sendUnsent, 20))
  takeStep(weights(41_000))
  await vi.advanceTimersByTimeAsync(500)
  changeWork(7, () => ({ outcome: { ...NO_OUTCOME, note: 'Pasy' } }))
  await vi.advanceTimersByTimeAsync(29_000)
  // At 0, 1, 3, 7, 12, 17, 22 and 27 s.
  expect(requests).toHaveLength(8)
  unsubscribe()
  connection = 'up'
  await settle()
  expect(unsent().unsent).toEqual([])
})

test('a step of which the first attempt is lost keeps the time of its entry', async () => {
  stored = { ...stored, state: 'takenOver', takenOverAt: new Date(NOW - 60_000).toISOString() }
  connection = 'cut'
  queryClient.setQueryData(['inspections', 'one', 7], stored)
  takeStep(weights(41_000))
  await vi.advanceTimersByTimeAsync(60_000)
  connection = 'answerLost'
  await settle()
  connection = 'up'
  await settle()
  expect(new Set(requests.map(({ body }) => body.at))).toEqual(new Set([new Date(NOW).toISOString()]))
  expect([stored.version, unsent().refused]).toEqual([2, null])
})

test('the time of a step is neither ahead of the portal nor before the step before it', async () => {
  stored = { ...stored, state: 'takenOver', takenOverAt: new Date(NOW - 2_000).toISOString() }
  // The clock of the portal has whole seconds in its answers: it may be almost a second behind what the device thinks.
  answeredAt = new Date(NOW - 1_000)
  takeStep(weights(41_000))
  await settle()
  expect(requests.map(({ body }) => body.at)).toEqual([answeredAt.toISOString()])

  // Now is at least 29 s later.
  const weighedAt = new Date(NOW + 29_600).toISOString()
  stored = { ...stored, weighed: { at: weighedAt, by: { id: 1, username: 'a' } } }
  queryClient.setQueryData(['inspections', 'one', 7], stored)
  takeStep({ step: 'close', body: { results: [2] } })
  await settle()
  expect(requests.at(-1)?.body.at).toBe(weighedAt)
})

test('weights that are corrected without a connection are sent as corrected, and those under way once more', async () => {
  stored = { ...stored, state: 'takenOver' }
  connection = 'cut'
  takeStep(weights(40_000))
  takeStep(weights(41_000))
  await settle()
  connection = 'answerLost'
  await settle()
  // The portal has them; they are corrected before the device knows.
  takeStep(weights(42_000))
  connection = 'up'
  await settle()
  expect(new Set(requests.map(({ body }) => `${body.version} ${body.gross}`))).toEqual(new Set(['1 41000', '2 42000']))
  expect([stored.version, unsent().unsent, unsent().refused]).toEqual([3, [], null])
})

test('a refused step waits for the officer, who sends it again or discards it with what follows', async () => {
  refusedStep = 'weighing'
  takeStep({ step: 'take-over', body: {} })
  takeStep(weights(41_000))
  takeStep({ step: 'close', body: { results: [1] } })
  await settle()
  expect(names()).toEqual(['take-over', 'weighing'])
  expect(unsent().refused).toMatchObject({ step: 'weighing', code: 'state-not-allowed' })
  await settle()
  expect(names()).toHaveLength(2)
  await retryRefused(7)
  await settle()
  expect(names()).toEqual(['take-over', 'weighing', 'weighing'])

  changeWork(7, () => ({ outcome: { ...NO_OUTCOME, note: 'Pasy' } }))
  discardRefused(7)
  await settle()
  expect(unsent()).toMatchObject({ unsent: [], refused: null, outcome: { note: 'Pasy' } })
  refusedStep = null
  takeStep(weights(42_000))
  await settle()
  expect([stored.state, requests.at(-1)?.body.gross]).toEqual(['weighed', 42_000])
})

test('photos that are still being written when the inspection is finished are sent once, before it is closed', async () => {
  stored = { ...stored, state: 'takenOver' }
  finishWriting = () => {}
  const keys = storePhotos([photo('a'), photo('b')])
  changeWork(7, () => ({ photos: keys }))
  takeStep({ step: 'close', body: { results: [9] } })
  await settle()
  expect(names()).toEqual(['photos', 'photos', 'close'])
  expect([stored.state, stored.photos.length]).toEqual(['closed', 2])
  expect(work.get().all).toEqual({})
})

test('sending waits for a photo that another tab is writing, and reports one that the device has lost', async () => {
  stored = { ...stored, state: 'takenOver' }
  const key = `${NOW}-other`
  changeWork(7, () => ({ photos: [key] }))
  sendUnsent()
  await settle()
  expect([unsent().photos, unsent().refused]).toEqual([[key], null])
  cached.set(`/unsent-photos/${key}`, new Response('a'))
  await settle()
  expect([stored.photos.length, unsent().photos, cached.size]).toEqual([1, [], 0])

  changeWork(7, () => ({ photos: [`${NOW - HOUR_MS}-lost`] }))
  takeStep({ step: 'close', body: { results: [9] } })
  await settle()
  expect(unsent().refused).toEqual({ step: 'photo', code: 'photo-lost', text: '' })
  discardRefused(7)
  sendUnsent()
  await settle()
  expect(stored.state).toBe('closed')
})

test('work belongs to its user: nobody else sees or sends it, and it is there again after the next sign-in', async () => {
  connection = 'cut'
  takeStep({ step: 'take-over', body: {} })
  changeWork(7, () => ({ outcome: { ...NO_OUTCOME, note: 'WX 12345' } }))
  await settle()
  endSession(null)
  expect(work.get()).toEqual({ userId: null, all: {} })
  connection = 'up'
  signIn(SECOND)
  expect(unsent()).toMatchObject({ savedAt: '', unsent: [], outcome: NO_OUTCOME })
  sendUnsent()
  await settle()
  expect(requests).toEqual([])

  signIn(FIRST)
  expect(unsent().outcome.note).toBe('WX 12345')
  sendUnsent()
  await settle()
  expect(names()).toEqual(['take-over'])
})

test('deletes work and photos of all users after 24 hours, and photos without work', async () => {
  const add = (id: number, name: string) => {
    const keys = storePhotos([photo(name)])
    changeWork(id, () => ({ photos: keys }))
    return keys
  }
  const old = add(7, 'a')
  await expect(openRandom({ locationId: 5, state: 'takenOver', selection: 'random' })).resolves.toBe(100)
  connection = 'cut'
  await expect(openRandom({ locationId: 5, state: 'takenOver', selection: 'random' })).rejects.toThrow()
  signIn(SECOND)
  vi.setSystemTime(NOW + 2 * HOUR_MS)
  const [kept] = add(8, 'b')
  const orphans = storePhotos([photo('c')])
  vi.setSystemTime(NOW + 24 * HOUR_MS)
  await deleteOldWork()
  expect([...storage.keys()]).toEqual([`inspections:${SECOND}`])
  expect([...cached.keys()]).toEqual([`/unsent-photos/${kept}`])
  await deletePhotos([...old, ...orphans])
  expect(await readPhoto(old[0] as string)).toBeNull()
})

test('work that is sent in vain is deleted 24 hours after it was entered', async () => {
  stored = { ...stored, state: 'takenOver' }
  connection = 'answerLost'
  takeStep(weights(41_000))
  await settle()
  endSession(null)
  vi.setSystemTime(NOW + 23 * HOUR_MS)
  signIn(FIRST)
  sendUnsent()
  await settle()
  expect(unsent()).toMatchObject({ unsent: [{ step: 'weighing' }], savedAt: new Date(NOW).toISOString() })
  vi.setSystemTime(NOW + 24 * HOUR_MS)
  // The page was left open.
  await settle()
  expect(unsent().unsent).toEqual([])
  await deleteOldWork()
  expect([...storage.keys()]).toEqual([])
})

test('a request for a random inspection opens one, also after a lost answer and a reload', async () => {
  const random = { locationId: 5, state: 'takenOver', selection: 'random' } as const
  connection = 'answerLost'
  await expect(openRandom(random)).rejects.toThrow()
  connection = 'up'
  // Nothing but the storage of the device survives a reload.
  expect(await openRandom(random)).toBe(100)
  expect(opened.size).toBe(1)
  expect(await openRandom(random)).toBe(101)

  connection = 'answerLost'
  await expect(openRandom(random)).rejects.toThrow()
  connection = 'up'
  expect(opened.size).toBe(3)
  // Found in the queue and worked on since: the next vehicle is another one.
  changeWork(102, () => ({ scaleId: 1 }))
  expect(await openRandom(random)).toBe(103)
  expect(session.get().userId).toBe(FIRST)
})

test('an inspection that was reopened begins with its stored results and amount, until they are changed', () => {
  const stored = { results: [3, 5] as (3 | 5)[], fineAmount: 50_050 }
  expect(shownOutcome(NO_OUTCOME, stored)).toEqual({ results: [3, 5], fineAmount: '500,50' })
  expect(shownOutcome({ results: [], fineAmount: '' }, stored)).toEqual({ results: [], fineAmount: '' })
  expect(shownOutcome(NO_OUTCOME, { results: [], fineAmount: null })).toEqual({ results: [], fineAmount: '' })
})

test('texts that were emptied are removed when the inspection is closed', () => {
  const kept = { note: 'Uwaga', declaration: 'Zeznanie' }
  const closing = (change: object) =>
    closingOf({ ...NO_OUTCOME, results: [1], ...change }, { carrier: ' ', taxId: '', stored: kept })
  expect(closing({})).toEqual({ results: [1], carrier: null, taxId: null, ...kept })
  expect(closing({ note: '', declaration: ' ' })).toMatchObject({ note: null, declaration: null })
})
