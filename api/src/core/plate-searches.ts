import { randomBytes } from 'node:crypto'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import type { z } from 'zod'
import type { Pool } from './database.ts'
import { createLruCache } from './lru-cache.ts'
import {
  findOrCreateSearchSecret,
  findSearch,
  replaceFilters,
  type SearchKey,
  saveSearch,
} from './plate-search-queries.ts'
import { Refusal } from './refusal.ts'
import { decrypt, encrypt } from './secrets.ts'
import type { Session } from './sessions.ts'

/** A saved search opens for this time after it was saved or prolonged. */
export const SEARCH_MS = 12 * HOUR_MS
const ID_BYTES = 16
/** Opened searches in memory: the live list is polled each second. */
const MAX_CACHED = 10_000

/** The searches of a page: its name, and the schema of their filters. */
export type SearchKind<F extends z.ZodType> = { page: string; filters: F }

type Owner = Pick<Session, 'userId'>
type SavedSearch = { searchId: string; expiresAt: Date }
type CachedSearch = { ownerId: number; text: string; expiresAt: Date }

export type PlateSearches = {
  /**
   * Saves filters, or prolongs a search that has them already.
   * @throws 404 if the id is someone else's, 409 if it has other filters
   */
  save: <F extends z.ZodType>(
    kind: SearchKind<F>,
    owner: Owner,
    search: { searchId?: string | undefined; filters: z.output<F> },
    now: Date,
  ) => Promise<SavedSearch>
  /** @throws 404 if it is unknown, someone else's or expired, or was encrypted with another key */
  open: <F extends z.ZodType>(
    kind: SearchKind<F>,
    owner: Owner,
    searchId: string,
    now: Date,
  ) => Promise<{ filters: z.output<F>; expiresAt: Date }>
}

/**
 * Searches by plate under ids that replace the plates in addresses. Stored encrypted; the filters of an id never change,
 * so they are cached.
 */
export function createPlateSearches(db: Pool, secretKey: Buffer | null): PlateSearches {
  const cache = createLruCache<CachedSearch>(MAX_CACHED)
  let secret: Promise<Buffer> | undefined
  const key = async () => {
    if (secretKey) return secretKey
    secret ??= findOrCreateSearchSecret(db)
    return secret.catch((error: unknown) => {
      secret = undefined
      throw error
    })
  }

  async function find(search: SearchKey, now: Date): Promise<CachedSearch | undefined> {
    const name = contextOf(search)
    const cached = cache.get(name)
    if (cached && cached.expiresAt > now) return cached
    const stored = await findSearch(db, search)
    const text = stored && decrypt(await key(), stored.filters, name)
    if (!stored || text == null) return undefined
    const opened = { ownerId: stored.ownerId, text, expiresAt: stored.expiresAt }
    cache.set(name, opened)
    return opened
  }

  return {
    save: async (kind, { userId: ownerId }, { searchId, filters }, now) => {
      const id = searchId === undefined ? randomBytes(ID_BYTES) : Buffer.from(searchId, 'base64url')
      const search = { page: kind.page, id }
      const name = contextOf(search)
      const text = JSON.stringify(kind.filters.encode(filters))
      const encrypted = encrypt(await key(), text, name)
      const expiresAt = new Date(now.getTime() + SEARCH_MS)
      const saved = await saveSearch(db, search, { ownerId, filters: encrypted, expiresAt })
      if (!saved) throw new Refusal('search-not-found', 404, 'searchId')
      const before = decrypt(await key(), saved.filters, name)
      if (before === null) await replaceFilters(db, search, encrypted)
      else if (before !== text) throw new Refusal('conflict', 409, 'searchId')
      cache.set(name, { ownerId, text, expiresAt })
      return { searchId: id.toString('base64url'), expiresAt }
    },
    open: async (kind, { userId }, searchId, now) => {
      const id = Buffer.from(searchId, 'base64url')
      const found = id.length === ID_BYTES ? await find({ page: kind.page, id }, now) : undefined
      if (!found || found.ownerId !== userId || found.expiresAt <= now) throw new Refusal('search-not-found', 404)
      return { filters: kind.filters.decode(JSON.parse(found.text)), expiresAt: found.expiresAt }
    },
  }
}

/** Associated data of the encryption, and name in the cache. */
const contextOf = ({ page, id }: SearchKey): string => `search ${page} ${id.toString('base64url')}`

type Caller = { session: Owner; now: Date }
type SearchApi = { searches: PlateSearches; config: { plateInAddress: 'accepted' | 'refused' } }

/**
 * The filters of a call: those of the saved search that it names, if any, replaced by those in its address.
 * @throws 404 as `open`, 400 `plate-in-address` for one of `plates` in the address if PLATE_IN_ADDRESS=refused
 */
export async function resolveSearch<F extends z.ZodObject, Q extends object>(
  { searches, config }: SearchApi,
  kind: SearchKind<F>,
  { session, now }: Caller,
  { searchId, query, plates }: { searchId: string | undefined; query: Q; plates: readonly string[] },
): Promise<Q> {
  refusePlatesInAddress(config, query, plates)
  if (!searchId) return query
  return { ...(await searches.open(kind, session, searchId, now)).filters, ...query }
}

/** @throws 400 if one of these parameters has a value and PLATE_IN_ADDRESS=refused */
export function refusePlatesInAddress(
  { plateInAddress }: SearchApi['config'],
  query: object,
  parameters: readonly string[],
): void {
  if (plateInAddress === 'accepted') return
  const isEmpty = (value: unknown) => value === undefined || value === '' || (Array.isArray(value) && !value.length)
  const values: Record<string, unknown> = { ...query }
  const named = parameters.find((parameter) => !isEmpty(values[parameter]))
  if (named !== undefined) throw new Refusal('plate-in-address', 400, named)
}
