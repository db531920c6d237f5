import { PHOTO_CACHE, photoUrlOf } from './storedWork.ts'

/*
 * Photos that are not sent yet, in the cache storage of the device. Without one, as in private windows or without TLS,
 * they stay in memory until the page is left.
 */

const MAX_WRITING_MS = 60_000
const inMemory = new Map<string, Blob>()

async function withCache<T>(access: (cache: Cache) => Promise<T>, fallback: T): Promise<T> {
  try {
    return await access(await caches.open(PHOTO_CACHE))
  } catch {
    return fallback
  }
}

/** Photos that are being written to the device. */
const writing = new Map<string, Promise<unknown>>()

/** Keeps photos; their keys hold at once, also if the device writes slowly. */
export function storePhotos(files: readonly File[]): string[] {
  return files.map((file) => {
    // Without TLS there is no crypto.randomUUID.
    const key = `${Date.now()}-${Math.random().toString(36).slice(2)}`
    inMemory.set(key, file)
    writing.set(
      key,
      withCache((cache) => cache.put(photoUrlOf(key), new Response(file)), undefined),
    )
    return key
  })
}

/** Whether another tab may still be writing the photo. */
export const isBeingWritten = (key: string): boolean => Date.now() - Number(key.split('-')[0]) < MAX_WRITING_MS

/** A photo that was stored; null if the device has lost it. */
export async function readPhoto(key: string): Promise<Blob | null> {
  const kept = inMemory.get(key)
  if (kept) return kept
  return withCache(async (cache) => (await (await cache.match(photoUrlOf(key)))?.blob()) ?? null, null)
}

export async function deletePhotos(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    inMemory.delete(key)
    await writing.get(key)
    writing.delete(key)
    await withCache((cache) => cache.delete(photoUrlOf(key)), false)
  }
}
