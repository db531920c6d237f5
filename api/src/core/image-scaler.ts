import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import { isCompleteJpeg, MAX_PIXELS } from './jpeg.ts'
import { createSemaphore } from './semaphore.ts'

/** Maximum memory for scaled images per process. */
const CACHE_BYTES = 64 * 1024 * 1024

// Several requests use several cores; threads within one image would only add to the load.
sharp.concurrency(1)

const options = { failOn: 'truncated', limitInputPixels: MAX_PIXELS } as const

/** An image of 50 megapixels takes about 2 s. libvips checks the time while it makes rows of pixels, not between scans. */
const TIMEOUT = { seconds: 20 }

/** Optimised coding makes smaller files, but keeps up to 6 bytes for each pixel in memory. */
const MAX_OPTIMISED_PIXELS = 4_000_000

const encoding = (pixels: number) => ({ quality: 80, optimiseCoding: pixels <= MAX_OPTIMISED_PIXELS })

/** In px; sharpening cannot restore details lost at this width. */
const BLURRED_WIDTH = 24

/**
 * The image with plate and cab unreadable: reduced to a few pixels and enlarged again. The whole image, whatever its
 * type: the position of the plate differs by camera, and the visible half of the cab by camera side and direction of
 * travel. Drops metadata, which may hold a thumbnail. Null if the image is damaged, beyond the limits of images, or takes
 * too long.
 */
export const blurImage = (original: Buffer): Promise<Buffer | null> =>
  nullIfRefused(original, async () => {
    const { width, height } = (await sharp(original, options).metadata()).autoOrient
    const coarse = await sharp(original, options)
      .timeout(TIMEOUT)
      .autoOrient()
      .resize({ width: BLURRED_WIDTH })
      .png()
      .toBuffer()
    // Enlarging takes most of the time; the default kernel twice as much, for the same few pixels.
    return sharp(coarse)
      .timeout(TIMEOUT)
      .resize({ width, height, fit: 'fill', kernel: 'linear' })
      .jpeg(encoding(width * height))
      .toBuffer()
  })

/** The image, upright, with its width and height multiplied by `scale`. Null as for `blurImage`. */
export const scaleImage = (original: Buffer, scale: number): Promise<Buffer | null> =>
  nullIfRefused(original, async () => {
    const { width, height } = (await sharp(original, options).metadata()).autoOrient
    return sharp(original, options)
      .timeout(TIMEOUT)
      .autoOrient()
      .resize({ width: Math.max(1, Math.round(width * scale)) })
      .jpeg(encoding(width * height * scale ** 2))
      .toBuffer()
  })

/** Maximum pixels of a photo: phones have up to 50 megapixels, rounded up. */
export const MAX_PHOTO_PIXELS = 64_000_000

/** Decoding a photo takes up to 256 MB, so one at a time. */
const decodeSemaphore = createSemaphore(1)

/** Decodes an uploaded image while no other one is decoded. */
export async function decodeExclusively<T>(decode: () => Promise<T>): Promise<T> {
  const release = await decodeSemaphore.acquire()
  return decode().finally(release)
}

/**
 * The photo as a JPEG whose longer side has at most `maxSide` px: upright, with white behind what is transparent, and
 * without metadata. Null if it is damaged or has too many pixels.
 */
export const scalePhoto = (original: Buffer, maxSide: number): Promise<Buffer | null> =>
  nullIfDamaged(() =>
    decodeExclusively(() =>
      sharp(original, { failOn: 'truncated', limitInputPixels: MAX_PHOTO_PIXELS })
        .timeout(TIMEOUT)
        .autoOrient()
        .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#fff' })
        .jpeg({ quality: 80 })
        .toBuffer(),
    ),
  )

/** Images are stored without decoding them, so one may turn out to be damaged. */
const nullIfDamaged = (decode: () => Promise<Buffer>): Promise<Buffer | null> => decode().catch(() => null)

/** Images of earlier versions were stored with wider limits. */
const nullIfRefused = async (original: Buffer, decode: () => Promise<Buffer>): Promise<Buffer | null> =>
  isCompleteJpeg(original) ? nullIfDamaged(decode) : null

/** Scales JPEGs, one at a time, with an LRU cache. */
export function createImageScaler(maxBytes = CACHE_BYTES) {
  const cache = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: ({ length }) => length })
  /** Only one original is in memory; another semaphore, as loading may decode. */
  const semaphore = createSemaphore(1)

  async function scaleNext(key: string, scale: number, load: () => Promise<Buffer | null>): Promise<Buffer | null> {
    // Another request may have scaled it meanwhile.
    const scaled = cache.get(key)
    if (scaled) return scaled
    const original = await load()
    const image = original && (await decodeExclusively(() => scaleImage(original, scale)))
    if (image) cache.set(key, image)
    return image
  }

  /**
   * `digest` identifies the original, which is loaded only if its scaled image is not cached. Null if it is missing or
   * damaged.
   */
  return async (digest: string, scale: number, load: () => Promise<Buffer | null>): Promise<Buffer | null> => {
    const key = `${digest}-${scale}`
    const cached = cache.get(key)
    if (cached) return cached
    const release = await semaphore.acquire()
    return scaleNext(key, scale, load).finally(release)
  }
}

export type Scaler = ReturnType<typeof createImageScaler>
