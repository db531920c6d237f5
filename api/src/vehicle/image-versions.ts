import { setTimeout as sleep } from 'node:timers/promises'
import { type imageVersion, THUMBNAIL_SCALE } from '@rogatka/contract/vehicle.ts'
import { DAY_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { Files } from '../core/files.ts'
import { imagePath } from '../core/image-path.ts'
import { blurImage, scaleImage } from '../core/image-scaler.ts'
import { isCompleteJpeg } from '../core/jpeg.ts'
import { createLruCache } from '../core/lru-cache.ts'
import { Refusal } from '../core/refusal.ts'
import { createUserSemaphore } from '../core/semaphore.ts'
import type { ImageKey } from './image-paths.ts'

/** Images that wait for their versions; those of further ones are created when they are first viewed. */
const MAX_QUEUE = 500

/** Views that wait until a version is created, of all users and of one; others are refused. */
const QUEUE_LIMITS = { queue: 400, queuePerUser: 100, waitMs: 30_000 }
const RETRY_SECONDS = 5
/** The user of the background work. */
const BACKGROUND = 0

/**
 * Another process may have received an image of this age, and be creating its thumbnail: screens ask all processes for it
 * at once. By then most vehicles have left the live list.
 */
const RECENT_MS = 15 * MINUTE_MS
/** Pauses before further looks for such a thumbnail. */
const LOOK_DELAYS_MS = [25, 50, 100, 200, 400]
/** Images that this process has received, of which it waits for no other one. */
const MAX_RECEIVED = 2_000

/** Memory of a process for viewed thumbnails: live lists load the thumbnail of a new vehicle within seconds of each other. */
const CACHE_BYTES = 16 * 1024 * 1024
/** A deleted thumbnail is served for this time at most. */
const CACHE_TTL_MS = 60_000

/**
 * Stored as a version that cannot be created because the image is damaged. A text, as the crash of a machine may leave an
 * empty file.
 */
const DAMAGED = Buffer.from('damaged')

type ImageVersion = Pick<z.output<typeof imageVersion.params>, 'viewer' | 'version'>

/** Blurred versions are created in the background if one was viewed within this time: they cost more than thumbnails. */
const BLURRED_VIEW_MS = DAY_MS

/** Versions to create, the most viewed first: those of the second list wait until no image needs the first. */
const DERIVED: readonly (readonly ImageVersion[])[] = [
  [{ viewer: 'sharp', version: 'thumbnail' }],
  [
    { viewer: 'anonymised', version: 'full' },
    { viewer: 'anonymised', version: 'thumbnail' },
  ],
]

export type ImageVersions = {
  /**
   * Returns a version, and creates it if it is not stored, unless the signals of all its callers abort before. The
   * thumbnail of a recent image that this process has not received is awaited for a moment. Null if the image is missing,
   * or damaged and not as received. @throws 503 if too many callers wait for versions
   */
  find: (image: ImageKey, version: ImageVersion, caller?: Partial<Caller>) => Promise<Buffer | null>
  /**
   * Creates the thumbnail of a stored image in the background, and its blurred versions if such are viewed; unless too many
   * images wait.
   */
  enqueue: (image: ImageKey) => void
  /** Ends the background work and its timer; queued images get their versions when they are first viewed. */
  stop: () => Promise<void>
}

type Options = {
  files: Files
  log: Pick<FastifyBaseLogger, 'warn'>
  now: () => Date
  /** Whether the retention of images of this time has passed: a version could be stored after its folder was deleted. */
  isExpired: (createdAt: Date) => boolean
  maxQueue?: number
  queueLimits?: typeof QUEUE_LIMITS
  lookDelaysMs?: readonly number[]
}

/** The user, and a signal that aborts when the client disconnects, created only if the version is not in memory. */
type Caller = { userId: number; signal: () => AbortSignal }

/** A version that is being read or created, for callers of whom some may disconnect. */
type PendingVersion = { found: Promise<Buffer | null>; callers: number; abandoned: AbortController }
/** The caller on whose behalf the version, or the decoder, is awaited: the first. */
type DecoderClient = { userId: number; abandoned: AbortSignal }

/**
 * Thumbnails and blurred versions of images, created once and stored beside the original, unflushed: a lost one is created
 * again. One image is decoded at a time.
 */
export function createImageVersions({
  files,
  log,
  now,
  isExpired,
  maxQueue = MAX_QUEUE,
  queueLimits = QUEUE_LIMITS,
  lookDelaysMs = LOOK_DELAYS_MS,
}: Options): ImageVersions {
  const decoder = createUserSemaphore({ total: 1, perUser: 1, ...queueLimits })
  const pending = new Map<string, PendingVersion>()
  const viewed = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ length }) => length,
    ttl: CACHE_TTL_MS,
    // Reads the clock at every view.
    ttlResolution: 0,
    perf: { now: () => now().getTime() },
  })
  const received = createLruCache<string>(MAX_RECEIVED)
  // Expired ones are not served, but an idle process would keep their memory.
  const purging = setInterval(() => viewed.purgeStale(), CACHE_TTL_MS).unref()
  const queues = DERIVED.map((versions) => ({ versions, images: [] as ImageKey[] }))
  let working: Promise<void> | undefined
  let isStopped = false
  let blurredViewedAt = Number.NEGATIVE_INFINITY

  /** @throws 503 if too many wait for the decoder, or for too long; the reason of `abandoned` if that aborts */
  const acquireDecoder = async ({ userId, abandoned }: DecoderClient) => {
    const release = await decoder.acquire(userId, abandoned)
    if (release === 'busy') throw new Refusal('unavailable', 503, null, RETRY_SECONDS)
    if (!release) throw abandoned.reason
    return release
  }

  const create = async (
    image: ImageKey,
    { viewer, version }: ImageVersion,
    client: DecoderClient,
  ): Promise<Buffer | null> => {
    const isThumbnail = version === 'thumbnail'
    const isBlurred = viewer !== 'sharp'
    // Before, because creating the blurred image needs the decoder, too.
    if (isThumbnail && isBlurred && !(await findShared(image, { viewer, version: 'full' }, callerOf(client))))
      return null
    const release = await acquireDecoder(client)
    const decode = async () => {
      // Read only now: the originals of many images that wait would fill the memory.
      const stored = isThumbnail && isBlurred ? await files.get(pathOf(image, { viewer, version: 'full' })) : null
      const original = stored ? null : await files.get(imagePath(image, image))
      const source = stored ?? (original && isBlurred ? await blurImage(original) : original)
      if (!source) return original ? null : undefined
      return isThumbnail ? scaleImage(source, THUMBNAIL_SCALE) : source
    }
    const created = await decode().finally(release)
    if (created === undefined) return null
    if (isExpired(image.createdAt)) return created
    await files
      .put(pathOf(image, { viewer, version }), created ?? DAMAGED, { flush: false })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'images: a version could not be stored, it is created again at the next view')
      })
    return created
  }

  const findOrCreate = async (
    image: ImageKey,
    version: ImageVersion,
    client: DecoderClient,
  ): Promise<Buffer | null> => {
    let stored = await findStored(image, version)
    for (const delay of isReceivedElsewhere(image, version) ? lookDelaysMs : []) {
      if (stored !== undefined) break
      await sleep(delay, undefined, { signal: client.abandoned }).catch(() => client.abandoned.throwIfAborted())
      stored = await findStored(image, version)
    }
    return stored === undefined ? create(image, version, client) : stored
  }

  /** Null if the image is damaged, undefined if no whole version is stored: the crash of a machine may truncate it. */
  const findStored = async (image: ImageKey, version: ImageVersion): Promise<Buffer | null | undefined> => {
    const stored = await files.get(pathOf(image, version))
    if (stored?.equals(DAMAGED)) return null
    return stored && isCompleteJpeg(stored) ? stored : undefined
  }

  /** Whether another process may be creating the version in the background; blurred ones are not always created there. */
  const isReceivedElsewhere = (image: ImageKey, { viewer, version }: ImageVersion) =>
    viewer === 'sharp' &&
    version === 'thumbnail' &&
    now().getTime() - image.createdAt.getTime() < RECENT_MS &&
    !received.has(imagePath(image, image))

  const findOrStart = (image: ImageKey, version: ImageVersion, userId: number): PendingVersion => {
    const path = pathOf(image, version)
    const known = pending.get(path)
    if (known && !known.abandoned.signal.aborted) return known
    const abandoned = new AbortController()
    const found = findOrCreate(image, version, { userId, abandoned: abandoned.signal }).finally(() => {
      if (pending.get(path) === pendingVersion) pending.delete(path)
    })
    const pendingVersion = { found, callers: 0, abandoned }
    pending.set(path, pendingVersion)
    return pendingVersion
  }

  /** Concurrent calls for a version share one result. */
  async function findShared(image: ImageKey, version: ImageVersion, caller: Partial<Caller>): Promise<Buffer | null> {
    const { userId = BACKGROUND } = caller
    if (isOriginal(version)) return files.get(imagePath(image, image))
    const signal = caller.signal?.()
    signal?.throwIfAborted()
    const pendingVersion = findOrStart(image, version, userId)
    pendingVersion.callers += 1
    const leave = () => {
      pendingVersion.callers -= 1
      if (pendingVersion.callers === 0) pendingVersion.abandoned.abort(signal?.reason)
    }
    signal?.addEventListener('abort', leave)
    return pendingVersion.found.finally(() => signal?.removeEventListener('abort', leave))
  }

  const work = async () => {
    for (let queue = firstFilled(); queue; queue = firstFilled()) {
      const image = queue.images.shift() as ImageKey
      const start = performance.now()
      for (const version of queue.versions)
        await findShared(image, version, {}).catch((error: unknown) => {
          log.warn({ err: error }, 'images: a version could not be created, it is created when it is first viewed')
        })
      // Leaves half of the time to requests.
      await sleep(performance.now() - start)
    }
    working = undefined
  }
  const firstFilled = () => queues.find(({ images }) => images.length > 0)

  return {
    find: async (image, version, caller = {}) => {
      if (version.viewer === 'anonymised') blurredViewedAt = performance.now()
      if (version.version === 'full' || isExpired(image.createdAt)) return findShared(image, version, caller)
      const path = pathOf(image, version)
      const cached = viewed.get(path)
      if (cached) return cached
      const bytes = await findShared(image, version, caller)
      // Concurrent views have the same bytes.
      if (bytes && !viewed.has(path)) viewed.set(path, bytes)
      return bytes
    },
    enqueue: (image) => {
      if (isStopped) return
      const path = imagePath(image, image)
      // Its transaction is repeated.
      if (received.has(path)) return
      received.set(path, path)
      const isBlurredViewed = performance.now() - blurredViewedAt < BLURRED_VIEW_MS
      for (const { images } of isBlurredViewed ? queues : queues.slice(0, 1))
        if (images.length < maxQueue) images.push(image)
      working ??= work()
    },
    stop: async () => {
      isStopped = true
      clearInterval(purging)
      for (const queue of queues) queue.images = []
      await working
    },
  }
}

const callerOf = ({ userId, abandoned }: DecoderClient): Caller => ({ userId, signal: () => abandoned })

const isOriginal = ({ viewer, version }: ImageVersion) => viewer === 'sharp' && version === 'full'

/** In the folder of the original, so that they are deleted together. */
const pathOf = (image: ImageKey, { viewer, version }: ImageVersion): string =>
  imagePath(image, image, `-${viewer}-${version}`)
