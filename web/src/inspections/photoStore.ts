/*
 * Photos that are not sent yet, in the cache storage of the device. Without one, as in private windows or without TLS,
 * they stay in memory until the page is left.
 */

const CACHE = 'inspection-photos'
const inMemory = new Map<string, Blob>()

const urlOf = (key: string) => `/unsent-photos/${key}`

async function withCache<T>(access: (cache: Cache) => Promise<T>, fallback: T): Promise<T> {
  try {
    return await access(await caches.open(CACHE))
  } catch {
    return fallback
  }
}

/** Stores photos; returns their keys. */
export async function storePhotos(files: readonly File[]): Promise<string[]> {
  const keys: string[] = []
  for (const file of files) {
    // Without TLS there is no crypto.randomUUID.
    const key = `${Date.now()}-${Math.random().toString(36).slice(2)}`
    inMemory.set(key, file)
    await withCache((cache) => cache.put(urlOf(key), new Response(file)), undefined)
    keys.push(key)
  }
  return keys
}

/** A photo that was stored; null if the device has lost it. */
export async function readPhoto(key: string): Promise<Blob | null> {
  const kept = inMemory.get(key)
  if (kept) return kept
  return withCache(async (cache) => (await (await cache.match(urlOf(key)))?.blob()) ?? null, null)
}

export async function deletePhotos(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    inMemory.delete(key)
    await withCache((cache) => cache.delete(urlOf(key)), false)
  }
}
