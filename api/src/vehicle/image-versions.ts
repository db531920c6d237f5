import { setTimeout as sleep } from 'node:timers/promises'
import { type imageVersion, THUMBNAIL_SCALE } from '@rogatka/contract/vehicle.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { z } from 'zod'
import type { Files } from '../core/files.ts'
import { blurImage, scaleImage } from '../core/image-scaler.ts'
import { isCompleteJpeg } from '../core/jpeg.ts'
import { createSemaphore } from '../core/semaphore.ts'
import { type ImageKey, imagePath } from './image-paths.ts'

/** Images that wait for their versions; those of further ones are made when they are first viewed. */
const MAX_QUEUE = 500

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
  /** Returns a version, and makes it if it is not stored. Null if the image is missing, or damaged and not as received. */
  find: (image: ImageKey, version: ImageVersion) => Promise<Buffer | null>
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
}

/**
 * Thumbnails and blurred versions of images, made once and stored beside the original, unflushed: a lost one is made
 * again. One image is decoded at a time.
 */
export function createImageVersions({ files, log, isExpired, maxQueue = MAX_QUEUE }: Options): ImageVersions {
  const decoding = createSemaphore(1)
  const pending = new Map<string, Promise<Buffer | null>>()
  const queues = DERIVED.map((versions) => ({ versions, images: [] as ImageKey[] }))
  let working: Promise<void> | undefined
  let isStopped = false
  let blurredViewedAt = Number.NEGATIVE_INFINITY

  const make = async (image: ImageKey, { viewer, version }: ImageVersion): Promise<Buffer | null> => {
    const isThumbnail = version === 'thumbnail'
    const isBlurred = viewer !== 'sharp'
    // Before the turn, which making the blurred image takes as well.
    if (isThumbnail && isBlurred && !(await find(image, { viewer, version: 'full' }))) return null
    const release = await decoding.acquire()
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

  const findOrMake = async (image: ImageKey, version: ImageVersion): Promise<Buffer | null> => {
    const stored = await files.get(pathOf(image, version))
    if (stored?.equals(DAMAGED)) return null
    // The crash of a machine may have truncated it.
    return stored && isCompleteJpeg(stored) ? stored : make(image, version)
  }

  /** Concurrent calls for a version share one result. */
  function find(image: ImageKey, version: ImageVersion): Promise<Buffer | null> {
    if (isOriginal(version)) return files.get(imagePath(image, image))
    const path = pathOf(image, version)
    const found = pending.get(path) ?? findOrMake(image, version).finally(() => pending.delete(path))
    pending.set(path, found)
    return found
  }

  const work = async () => {
    for (let queue = firstFilled(); queue; queue = firstFilled()) {
      const image = queue.images.shift() as ImageKey
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
    find: (image, version) => {
      if (version.viewer === 'anonymised') blurredViewedAt = performance.now()
      return find(image, version)
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
