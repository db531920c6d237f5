import type { Station } from '@rogatka/domain/vehicle/derived.ts'
import type { LegalLimits } from '@rogatka/domain/vehicle/limits.ts'
import type { Pool } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { documentAt, legalLimitsOf, stationOf } from '../locations/public-api.ts'

/** A change of a station or of the law reaches the next vehicles within this. */
const CACHE_TTL_MS = 10_000

type StationAndLaw = {
  station: Station
  /** The limits that held at an instant. */
  limitsAt: (at: Date) => LegalLimits
}

/** What the derivations need of a station, remembered for a few seconds: stations send every second. */
export function createStationCache(db: Pool) {
  const remembered = new Map<number, { until: number; answer: Promise<StationAndLaw> }>()

  return (locationId: number, now: Date): Promise<StationAndLaw> => {
    const known = remembered.get(locationId)
    // A clock that was set back must not make an answer last for ever.
    if (known && now.getTime() < known.until && known.until - now.getTime() <= CACHE_TTL_MS) return known.answer
    const answer = readStation(db, locationId)
    remembered.set(locationId, { until: now.getTime() + CACHE_TTL_MS, answer })
    answer.catch(() => remembered.delete(locationId))
    return answer
  }
}

async function readStation(db: Pool, locationId: number): Promise<StationAndLaw> {
  const [station, documents] = await Promise.all([stationOf(db, locationId), legalLimitsOf(db, locationId)])
  if (!station) throw new Refusal('location-not-found', 404)
  return {
    station,
    limitsAt: (at) => {
      const document = documentAt(documents, at)
      if (!document) throw new Error('There are no legal limits in the database')
      return document.limits
    },
  }
}
