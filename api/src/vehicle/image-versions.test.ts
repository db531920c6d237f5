import { setImmediate } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Files } from '../core/files.ts'
import { imagePath } from '../core/image-path.ts'
import { eventually } from '../testing/test-api.ts'
import type { ImageKey } from './image-paths.ts'
import { createImageVersions } from './image-versions.ts'

const THUMBNAIL = { viewer: 'sharp', version: 'thumbnail' } as const

const imageKey = (id: number): ImageKey => ({
  locationId: 7,
  createdAt: new Date('2026-10-20T08:00:00Z'),
  id,
  type: 1,
  sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
})

/** Versions of images in memory; `isFull` makes each put of a version fail. */
async function inMemory({
  isFull = false,
  isExpired = false,
  maxQueue = 500,
  queue = 200,
  queuePerUser = 100,
  lookDelaysMs = [] as number[],
} = {}) {
  const original = await sharp({ create: { width: 100, height: 50, channels: 3, background: '#456' } })
    .jpeg()
    .toBuffer()
  const stored = new Map<string, Buffer>()
  const puts: string[] = []
  const gets: string[] = []
  const warnings: unknown[] = []
  const clock = { now: new Date('2026-10-20T08:00:01Z') }
  const files: Files = {
    put: async (path, bytes, options) => {
      await setImmediate()
      expect(options).toEqual({ flush: false })
      puts.push(nameOf(path))
      if (isFull) throw new Error('full')
      stored.set(path, Buffer.from(bytes))
    },
    get: async (path) => {
      gets.push(nameOf(path))
      await setImmediate()
      return stored.get(path) ?? null
    },
    getPart: async () => null,
    remove: async () => {},
    removeFolder: async () => {},
  }
  const versions = createImageVersions({
    files,
    log: { warn: (...line: unknown[]) => void warnings.push(line) },
    now: () => clock.now,
    isExpired: () => isExpired,
    maxQueue,
    queueLimits: { queue, queuePerUser, waitMs: 30_000 },
    lookDelaysMs,
  })
  const add = (id: number) => {
    stored.set(imagePath(imageKey(id), imageKey(id)), original)
    return imageKey(id)
  }
  /** As another process does. */
  const addThumbnail = (id: number) => stored.set(imagePath(imageKey(id), imageKey(id), '-sharp-thumbnail'), original)
  const looks = () => gets.filter((name) => name === 'sharp-thumbnail.jpg').length
  return { versions, original, add, addThumbnail, puts, looks, warnings, clock }
}

const nameOf = (path: string) => path.replace(/^.*-[0-9a-f]{16}-?/, '')

/** Views a blurred image, from which on they are made in the background; forgets what was stored for it. */
async function viewBlurred({ versions, add, puts }: Awaited<ReturnType<typeof inMemory>>) {
  await versions.find(add(99), { viewer: 'anonymised', version: 'full' })
  puts.length = 0
}

test('a queued image gets a thumbnail only while nobody views blurred images', async () => {
  const memory = await inMemory()
  memory.versions.enqueue(memory.add(1))
  await eventually(() => expect(memory.puts).toEqual(['sharp-thumbnail.jpg']))
  await memory.versions.stop()
  expect(memory.puts).toEqual(['sharp-thumbnail.jpg'])
})

test('concurrent first views make a version once', async () => {
  const { versions, add, puts } = await inMemory()
  const image = add(1)
  const views = await Promise.all([1, 2, 3].map(() => versions.find(image, THUMBNAIL)))
  expect(new Set(views.map((bytes) => bytes?.toString('base64'))).size).toBe(1)
  expect(views[0]).not.toBeNull()
  expect(puts).toEqual(['sharp-thumbnail.jpg'])
})

test('the thumbnail of a recent image that another process received is awaited, and made if it does not come', async () => {
  const patient = await inMemory({ lookDelaysMs: Array(10_000).fill(1) })
  const view = patient.versions.find(patient.add(1), THUMBNAIL)
  await eventually(() => expect(patient.looks()).toBeGreaterThan(2))
  patient.addThumbnail(1)
  expect(await view).toEqual(patient.original)
  expect(patient.puts).toEqual([])

  const { versions, add, looks, puts } = await inMemory({ lookDelaysMs: [1, 1, 1] })
  expect(await versions.find(add(1), THUMBNAIL)).not.toBeNull()
  expect([looks(), puts]).toEqual([4, ['sharp-thumbnail.jpg']])
})

test('neither an older image is awaited, nor one that this process received, nor a blurred version', async () => {
  const { versions, add, looks, puts, clock } = await inMemory({ lookDelaysMs: [1, 1, 1], maxQueue: 0 })
  const [received, older] = [add(1), add(2)]
  versions.enqueue(received)
  expect(await versions.find(received, THUMBNAIL)).not.toBeNull()
  expect(looks()).toBe(1)
  expect(await versions.find(add(3), { viewer: 'anonymised', version: 'thumbnail' })).not.toBeNull()
  expect(puts).toHaveLength(3)
  expect(looks()).toBe(1)
  clock.now = new Date('2026-10-20T08:15:00Z')
  expect(await versions.find(older, THUMBNAIL)).not.toBeNull()
  expect(looks()).toBe(2)
})

test('the wait for another process ends when all who wait leave', async () => {
  const { versions, add, looks, puts } = await inMemory({ lookDelaysMs: [3_600_000] })
  const leaving = new AbortController()
  const view = versions.find(add(1), THUMBNAIL, { userId: 1, signal: () => leaving.signal })
  await eventually(() => expect(looks()).toBe(1))
  leaving.abort(new Error('left'))
  await expect(view).rejects.toThrow('left')
  expect([looks(), puts]).toEqual([1, []])
})

test('a view is refused while too many views wait, of all users or of one', async () => {
  const { versions, add } = await inMemory({ queue: 2, queuePerUser: 1 })
  const { signal } = new AbortController()
  const viewers = [1, 1, 1, 2, 3]
  const views = viewers.map((userId, at) => versions.find(add(at), THUMBNAIL, { userId, signal: () => signal }))
  const outcomes = await Promise.allSettled(views)
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'rejected'])
  await expect(views[2]).rejects.toMatchObject({ status: 503 })
  expect(await versions.find(add(2), THUMBNAIL)).not.toBeNull()
})

test('a version is not made if all who wait for it leave, and is made if one stays', async () => {
  const { versions, add, puts } = await inMemory()
  const [first, left, kept] = [add(1), add(2), add(3)]
  const leaving = new AbortController()
  const views = [
    versions.find(first, THUMBNAIL),
    versions.find(left, THUMBNAIL, { userId: 1, signal: () => leaving.signal }),
    versions.find(kept, THUMBNAIL, { userId: 1, signal: () => leaving.signal }),
    versions.find(kept, THUMBNAIL),
  ]
  leaving.abort(new Error('left'))
  const outcomes = await Promise.allSettled(views)
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(puts).toHaveLength(2)
  expect(await versions.find(left, THUMBNAIL)).not.toBeNull()
})

test('a queued image gets all versions; those that exist are not made again', async () => {
  const memory = await inMemory()
  await viewBlurred(memory)
  const { versions, add, puts } = memory
  const image = add(1)
  await versions.find(image, THUMBNAIL)
  versions.enqueue(image)
  versions.enqueue(image)
  await eventually(() => expect(puts).toHaveLength(3))
  await versions.stop()
  expect(puts.toSorted()).toEqual(['anonymised-full.jpg', 'anonymised-thumbnail.jpg', 'sharp-thumbnail.jpg'])
})

test('thumbnails of all queued images precede their blurred versions', async () => {
  const memory = await inMemory()
  await viewBlurred(memory)
  const { versions, add, puts } = memory
  for (const id of [1, 2, 3]) versions.enqueue(add(id))
  await eventually(() => expect(puts).toHaveLength(9))
  expect(new Set(puts.slice(0, 3))).toEqual(new Set(['sharp-thumbnail.jpg']))
})

test('an image beyond a full queue gets its versions at its first view', async () => {
  const memory = await inMemory({ maxQueue: 2 })
  await viewBlurred(memory)
  const { versions, add, puts } = memory
  const images = [1, 2, 3, 4, 5].map(add)
  for (const image of images) versions.enqueue(image)
  // The first one is in work while two wait; the blurred versions of two wait from the beginning.
  await eventually(() => expect(puts).toHaveLength(3 + 2 * 2))
  await versions.stop()
  expect(puts.filter((name) => name === 'sharp-thumbnail.jpg')).toHaveLength(3)
  expect(await versions.find(images.at(-1) as ImageKey, THUMBNAIL)).not.toBeNull()
  expect(puts).toHaveLength(8)
})

test('makes nothing in the background after it was stopped', async () => {
  const { versions, add, puts } = await inMemory()
  for (const id of [1, 2, 3]) versions.enqueue(add(id))
  await versions.stop()
  const made = puts.length
  expect(made).toBeLessThan(3)
  versions.enqueue(add(4))
  await versions.stop()
  expect(puts).toHaveLength(made)
})

test('a version that cannot be stored is returned, and made again for a view after a minute', async () => {
  const { versions, add, puts, warnings, clock } = await inMemory({ isFull: true })
  const image = add(1)
  const made = await versions.find(image, THUMBNAIL)
  expect(await versions.find(image, THUMBNAIL)).toBe(made)
  expect(puts).toHaveLength(1)
  clock.now = new Date(clock.now.getTime() + 60_001)
  expect(await versions.find(image, THUMBNAIL)).toEqual(made)
  expect([puts.length, warnings.length]).toEqual([2, 2])
})

test('a version of an image whose retention has passed is not stored', async () => {
  const { versions, add, puts } = await inMemory({ isExpired: true })
  expect(await versions.find(add(1), THUMBNAIL)).not.toBeNull()
  expect(puts).toEqual([])
})

test('a missing image has no versions', async () => {
  const { versions, puts } = await inMemory()
  for (const viewer of ['sharp', 'anonymised'] as const)
    for (const version of ['full', 'thumbnail'] as const)
      expect(await versions.find(imageKey(9), { viewer, version })).toBeNull()
  expect(puts).toEqual([])
})
