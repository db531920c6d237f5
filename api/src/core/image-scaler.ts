import sharp from 'sharp'

/** A camera's picture is far smaller; a file that unfolds to more is an attack on our memory. */
const MAX_PIXELS = 50_000_000
/** What the scaled pictures of one process may take. */
const CACHE_BYTES = 64 * 1024 * 1024

// The picture is decoded to the end, so that one cut off by a lost connection is not stored for good.
const options = { failOn: 'truncated', limitInputPixels: MAX_PIXELS } as const

/** Whether the bytes are a whole JPEG, by their content. It is decoded small, which costs a few milliseconds. */
export async function isJpeg(bytes: Buffer): Promise<boolean> {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return false
  try {
    const picture = sharp(bytes, options)
    const { format } = await picture.metadata()
    await picture.resize(16).raw().toBuffer()
    return format === 'jpeg'
  } catch {
    return false
  }
}

/** px; sharpening cannot restore what an image of this width has lost. */
const BLURRED_WIDTH = 24

/**
 * The image with plate and cab unreadable: reduced to a few pixels and enlarged to its size again. All of it, whatever
 * its type: where the plate hangs differs from camera to camera, and which half of the side shows the driver depends on
 * the side of the camera and on the direction of travel. Metadata, which may hold a thumbnail, is dropped.
 */
export async function blurPicture(original: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(original, options).metadata()
  const coarse = await sharp(original, options).resize({ width: BLURRED_WIDTH }).png().toBuffer()
  return sharp(coarse).resize({ width, height, fit: 'fill' }).jpeg({ quality: 80 }).toBuffer()
}

/** Scales JPEGs and remembers the results, the latest used longest. */
export function createImageScaler(maxBytes = CACHE_BYTES) {
  // A Map keeps the order of insertion: what is used again is put in anew, so the first is the longest unused.
  const remembered = new Map<string, Buffer>()
  let total = 0

  const remember = (key: string, picture: Buffer) => {
    total += picture.length - (remembered.get(key)?.length ?? 0)
    remembered.delete(key)
    remembered.set(key, picture)
    for (const [oldest, { length }] of remembered) {
      if (total <= maxBytes) break
      remembered.delete(oldest)
      total -= length
    }
  }

  /** `digest` names the original's bytes, which are loaded only if their scaled picture is not remembered. */
  return async (digest: string, scale: number, load: () => Promise<Buffer | null>): Promise<Buffer | null> => {
    const key = `${digest}-${scale}`
    const known = remembered.get(key)
    if (known) {
      remember(key, known)
      return known
    }
    const original = await load()
    if (!original) return null
    const { width } = await sharp(original, options).metadata()
    const picture = await sharp(original, options)
      .resize({ width: Math.max(1, Math.round(width * scale)) })
      .jpeg({ quality: 80 })
      .toBuffer()
    remember(key, picture)
    return picture
  }
}

export type Scaler = ReturnType<typeof createImageScaler>
