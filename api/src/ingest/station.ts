import type { Station } from '@rogatka/domain/vehicle/derived.ts'
import type { LegalLimits } from '@rogatka/domain/vehicle/limits.ts'
import type { Pool } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { findStation, limitsDocumentAt, listLegalLimits } from '../locations/public-api.ts'

/** Changes of a station or its legal limits apply to new vehicles after this time. */
const CACHE_TTL_MS = 10_000

/** A station, and the limits in force there. */
export type StationRules = {
  station: Station
  /** The limits in force at an instant. */
  limitsAt: (at: Date) => LegalLimits
}

/** Caches a station and its legal limits for a few seconds: stations send every second. */
export function createStationCache(db: Pool) {
  const cache = new Map<number, { expiresAt: number; rules: Promise<StationRules> }>()

  return (locationId: number, now: Date): Promise<StationRules> => {
    const cached = cache.get(locationId)
    // After the clock was set back, an entry must not stay valid for long.
    if (cached && now.getTime() < cached.expiresAt && cached.expiresAt - now.getTime() <= CACHE_TTL_MS)
      return cached.rules
    const rules = readStation(db, locationId)
    cache.set(locationId, { expiresAt: now.getTime() + CACHE_TTL_MS, rules })
    rules.catch(() => cache.delete(locationId))
    return rules
  }
}

async function readStation(db: Pool, locationId: number): Promise<StationRules> {
  const [station, documents] = await Promise.all([findStation(db, locationId), listLegalLimits(db, locationId)])
  if (!station) throw new Refusal('location-not-found', 404)
  return {
    station,
    limitsAt: (at) => {
      const document = limitsDocumentAt(documents, at)
      if (!document) throw new Error('There are no legal limits in the database')
      return document.limits
    },
  }
}
