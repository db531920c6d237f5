import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { readStored, writeStored } from '../core/browserStorage.ts'

/*
 * Where the work of officers is stored on the device. Old work of all users is deleted at each start of the portal, which
 * loads only this module of the feature.
 */

const WORK_PREFIX = 'inspections:'
const RANDOM_PREFIX = 'inspection-random:'
export const PHOTO_CACHE = 'inspection-photos'
/** Steps can be entered up to 24 hours back: older work could not be sent. */
const MAX_AGE_MS = DAY_MS

export const workKeyOf = (userId: number): string => WORK_PREFIX + userId
export const randomKeyOf = (userId: number): string => RANDOM_PREFIX + userId
export const photoUrlOf = (key: string): string => `/unsent-photos/${key}`

/** Whether something that was stored at this instant, ISO 8601, may still be used. */
export const isFresh = (savedAt: unknown): boolean => Date.now() - Date.parse(String(savedAt)) < MAX_AGE_MS

type StoredEntry = { savedAt?: unknown; photos?: readonly string[] }

function parse(key: string): Record<string, StoredEntry> {
  try {
    return JSON.parse(readStored('local', key) ?? '{}') as Record<string, StoredEntry>
  } catch {
    return {}
  }
}

function storedKeys(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}

/** Deletes work of all users that is too old, and photos that belong to no work. */
export async function deleteOldWork(): Promise<void> {
  for (const key of storedKeys(WORK_PREFIX)) {
    const all = Object.entries(parse(key))
    const fresh = all.filter(([, { savedAt }]) => isFresh(savedAt))
    if (fresh.length === 0) writeStored('local', key, null)
    else if (fresh.length < all.length) writeStored('local', key, JSON.stringify(Object.fromEntries(fresh)))
  }
  for (const key of storedKeys(RANDOM_PREFIX))
    if (!isFresh((parse(key) as StoredEntry).savedAt)) writeStored('local', key, null)
  await deleteUnusedPhotos().catch(() => undefined)
}

async function deleteUnusedPhotos(): Promise<void> {
  if (!(await caches.has(PHOTO_CACHE))) return
  const cache = await caches.open(PHOTO_CACHE)
  const stored = await cache.keys()
  // Read after the photos: each one is named by its work before it is written.
  const works = storedKeys(WORK_PREFIX).flatMap((key) => Object.values(parse(key)))
  const used = new Set(works.flatMap(({ photos }) => photos ?? []).map(photoUrlOf))
  for (const request of stored) if (!used.has(new URL(request.url).pathname)) await cache.delete(request)
}
