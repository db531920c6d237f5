import { setTimeout as sleep } from 'node:timers/promises'
import { type imageVersion, THUMBNAIL_SCALE } from '@rogatka/contract/vehicle.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { z } from 'zod'
import type { Files } from '../core/files.ts'
import { blurImage, scaleImage } from '../core/image-scaler.ts'
import { isCompleteJpeg } from '../core/jpeg.ts'
import { Refusal } from '../core/refusal.ts'
import { createSemaphore } from '../core/semaphore.ts'
import { type ImageKey, imagePath } from './image-paths.ts'

/** Images that wait for their versions; those of further ones are made when they are first viewed. */
const MAX_QUEUE = 500

/** Views that wait until a version is made; further ones are refused. The last waits for some ten seconds. */
const MAX_WAITING = 200
const RETRY_SECONDS = 5
/** The background work checks after this time whether views still wait. */
const YIELD_MS = 100

/**
 * Stored as a version that cannot be made because the image is damaged. A text, as the crash of a machine may leave an
 * empty file.
 */
const DAMAGED = Buffer.from('damaged')

type ImageVersion = Pick<z.output<typeof imageVersion.params>, 'viewer' | 'version'>

/** Blurred versions are made in the background if one was viewed within this time: they cost more than thumbnails. */
const BLURRED_VIEW_MS = DAY_MS

/** Versions to make, the most viewed first: those of the second list wait until no image needs the first. */
const DERIVED: readonly (readonly ImageVersion[])[] = [
  [{ viewer: 'sharp', version: 'thumbnail' }],
  [
    { viewer: 'anonymised', version: 'full' },
    { viewer: 'anonymised', version: 'thumbnail' },
  ],
]

export type ImageVersions = {
  /**
   * Returns a version, and makes it if it is not stored, unless `signal` of every caller aborts before its turn. Null if the
   * image is missing, or damaged and not as received. @throws 503 if too many callers wait for versions
   */
  find: (image: ImageKey, version: ImageVersion, signal?: AbortSignal) => Promise<Buffer | null>
  /**
   * Makes the thumbnail of a stored image in the background, and its blurred versions if such are viewed; unless too many
   * images wait.
   */
  enqueue: (image: ImageKey) => void
  /** Ends the background work; queued images get their versions when they are first viewed. */
  stop: () => Promise<void>
}

type Options = {
  files: Files
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Whether the retention of images of this time has passed: a version could be stored after its folder was deleted. */
  isExpired: (createdAt: Date) => boolean
  maxQueue?: number
  maxWaiting?: number
}

/** A version that is being found, for callers of whom some may leave. */
type Pending = { found: Promise<Buffer | null>; callers: number; abandoned: AbortController }

/**
 * Thumbnails and blurred versions of images, made once and stored beside the original, unflushed: a lost one is made
 * again. One image is decoded at a time.
 */
export function createImageVersions({
  files,
  log,
  isExpired,
  maxQueue = MAX_QUEUE,
  maxWaiting = MAX_WAITING,
}: Options): ImageVersions {
  const decoding = createSemaphore(1)
  let waiting = 0
  const pending = new Map<string, Pending>()
  const queues = DERIVED.map((versions) => ({ versions, images: [] as ImageKey[] }))
  let working: Promise<void> | undefined
  let isStopped = false
  let blurredViewedAt = Number.NEGATIVE_INFINITY

  /** Waits for the turn to decode. @throws 503 if too many wait; the reason of `signal` if it aborts */
  const turn = async (signal: AbortSignal) => {
    if (waiting >= maxWaiting) throw new Refusal('unavailable', 503, null, RETRY_SECONDS)
    waiting += 1
    const release = await decoding.acquire(signal).finally(() => {
      waiting -= 1
    })
    if (!release) throw signal.reason
    return release
  }

  const make = async (
    image: ImageKey,
    { viewer, version }: ImageVersion,
    abandoned: AbortSignal,
  ): Promise<Buffer | null> => {
    const isThumbnail = version === 'thumbnail'
    const isBlurred = viewer !== 'sharp'
    // Before the turn, which making the blurred image takes as well.
    if (isThumbnail && isBlurred && !(await find(image, { viewer, version: 'full' }, abandoned))) return null
    const release = await turn(abandoned)
    const decode = async () => {
      // Read only now: the originals of many images that wait would fill the memory.
      const stored = isThumbnail && isBlurred ? await files.get(pathOf(image, { viewer, version: 'full' })) : null
      const original = stored ? null : await files.get(imagePath(image, image))
      const source = stored ?? (original && isBlurred ? await blurImage(original) : original)
      if (!source) return original ? null : undefined
      return isThumbnail ? scaleImage(source, THUMBNAIL_SCALE) : source
    }
    const made = await decode().finally(release)
    if (made === undefined) return null
    if (isExpired(image.createdAt)) return made
    await files.put(pathOf(image, { viewer, version }), made ?? DAMAGED, { flush: false }).catch((error: unknown) => {
      log.warn({ err: error }, 'images: a version could not be stored, it is made again at the next view')
    })
    return made
  }

  const findOrMake = async (image: ImageKey, version: ImageVersion, abandoned: AbortSignal): Promise<Buffer | null> => {
    const stored = await files.get(pathOf(image, version))
    if (stored?.equals(DAMAGED)) return null
    // The crash of a machine may have truncated it.
    return stored && isCompleteJpeg(stored) ? stored : make(image, version, abandoned)
  }

  const findPending = (image: ImageKey, version: ImageVersion): Pending => {
    const path = pathOf(image, version)
    const known = pending.get(path)
    if (known && !known.abandoned.signal.aborted) return known
    const abandoned = new AbortController()
    const found = findOrMake(image, version, abandoned.signal).finally(() => {
      if (pending.get(path) === search) pending.delete(path)
    })
    const search = { found, callers: 0, abandoned }
    pending.set(path, search)
    return search
  }

  /** Concurrent calls for a version share one result. */
  async function find(image: ImageKey, version: ImageVersion, signal?: AbortSignal): Promise<Buffer | null> {
    if (isOriginal(version)) return files.get(imagePath(image, image))
    signal?.throwIfAborted()
    const search = findPending(image, version)
    search.callers += 1
    const leave = () => {
      search.callers -= 1
      if (search.callers === 0) search.abandoned.abort(signal?.reason)
    }
    signal?.addEventListener('abort', leave)
    return search.found.finally(() => signal?.removeEventListener('abort', leave))
  }

  const work = async () => {
    for (let queue = firstFilled(); queue; queue = firstFilled()) {
      // Views come first.
      while (waiting > 0 && !isStopped) await sleep(YIELD_MS)
      const image = queue.images.shift()
      if (!image) break
      const start = performance.now()
      for (const version of queue.versions)
        await find(image, version).catch((error: unknown) => {
          log.warn({ err: error }, 'images: a version could not be made, it is made when it is first viewed')
        })
      // Leaves half of the time to requests.
      await sleep(performance.now() - start)
    }
    working = undefined
  }
  const firstFilled = () => queues.find(({ images }) => images.length > 0)

  return {
    find: (image, version, signal) => {
      if (version.viewer === 'anonymised') blurredViewedAt = performance.now()
      return find(image, version, signal)
    },
    enqueue: (image) => {
      if (isStopped) return
      const isBlurredViewed = performance.now() - blurredViewedAt < BLURRED_VIEW_MS
      for (const { images } of isBlurredViewed ? queues : queues.slice(0, 1))
        if (images.length < maxQueue) images.push(image)
      working ??= work()
    },
    stop: async () => {
      isStopped = true
      for (const queue of queues) queue.images = []
      await working
    },
  }
}

const isOriginal = ({ viewer, version }: ImageVersion) => viewer === 'sharp' && version === 'full'

/** In the folder of the original, so that they are deleted together. */
const pathOf = (image: ImageKey, { viewer, version }: ImageVersion): string =>
  imagePath(image, image, `-${viewer}-${version}`)
