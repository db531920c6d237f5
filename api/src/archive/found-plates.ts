import { HISTORY_DAYS, MAX_FOUND_PLATES, type plates } from '@rogatka/contract/archive.ts'
import type { ValueOf } from '@rogatka/contract/endpoint.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Pool } from '../core/database.ts'
import { vehicleLocations } from '../locations/public-api.ts'
import { MAX_AHEAD_MS } from './history.ts'
import { latestDetections, newestPlatesBeginningWith, platesBeginningWith } from './queries.ts'

/** Maximum plates of the index that are compared by their last detection. */
const MAX_CANDIDATES = 200
/** Newest vehicles whose plates are compared, too: with more candidates the answer is among these. */
const NEWEST_VEHICLES = 10_000

export const foundSince = (now: Date): Date => new Date(now.getTime() - HISTORY_DAYS * DAY_MS)

/**
 * The plates with a beginning (normalised) that were detected last. A beginning of more plates than are compared is
 * answered from the newest vehicles and the first plates of the alphabet: the time of an answer has a limit.
 */
export async function platesFor(db: Pool, beginning: string, now: Date): Promise<ValueOf<typeof plates, 'response'>> {
  const interval = { from: foundSince(now).getTime(), to: now.getTime() + MAX_AHEAD_MS }
  const [indexed, newest, locations] = await Promise.all([
    platesBeginningWith(db, beginning, MAX_CANDIDATES),
    newestPlatesBeginningWith(db, beginning, interval, NEWEST_VEHICLES),
    vehicleLocations(db),
  ])
  const candidates = [...new Set([...indexed, ...newest].map(({ plate }) => plate))]
  if (candidates.length === 0) return { content: [] }
  const found = await latestDetections(db, candidates, interval, MAX_FOUND_PLATES)
  const locationsById = new Map(locations.map((location) => [location.id, location]))
  return {
    content: found.flatMap(({ plateLpr, detections, locationId, ...last }) => {
      const location = locationsById.get(locationId)
      return location ? [{ plateLpr, detections, last: { ...last, location } }] : []
    }),
  }
}
