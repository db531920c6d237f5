import { HISTORY_DAYS, MAX_FOUND_PLATES, type plates } from '@rogatka/contract/archive.ts'
import type { ValueOf } from '@rogatka/contract/endpoint.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Database, Pool } from '../core/database.ts'
import type { Session } from '../core/sessions.ts'
import { vehicleLocations } from '../locations/public-api.ts'
import { MAX_AHEAD_MS } from './history.ts'
import { latestDetections, newestPlatesBeginningWith, platesBeginningWith } from './queries.ts'
import { inSnapshot } from './search.ts'

/** Maximum plates of the index that are compared by their last detection. */
const MAX_CANDIDATES = 200
/** Newest vehicles whose plates are compared, too: with more candidates the answer is among these. */
const NEWEST_VEHICLES = 10_000

const foundSince = (now: Date): Date => new Date(now.getTime() - HISTORY_DAYS * DAY_MS)

/**
 * The plates with a beginning (normalised) that were detected last. A beginning of more plates than are compared is
 * answered from the newest vehicles and the first plates of the alphabet: the time of an answer has a limit. A lookup takes a slot of the user's searches, and ends if `signal` aborts.
 * @throws 503 `unavailable` if too many of the user's wait
 */
export function platesFor(
  db: Pool,
  caller: Pick<Session, 'userId'>,
  beginning: string,
  now: Date,
  signal?: AbortSignal,
): Promise<ValueOf<typeof plates, 'response'>> {
  return inSnapshot(db, caller, (db) => findPlates(db, beginning, now), signal)
}

async function findPlates(db: Database, beginning: string, now: Date) {
  const interval = { from: foundSince(now).getTime(), to: now.getTime() + MAX_AHEAD_MS }
  const indexed = await platesBeginningWith(db, beginning, MAX_CANDIDATES)
  const newest = await newestPlatesBeginningWith(db, beginning, interval, NEWEST_VEHICLES)
  const candidates = [...new Set([...indexed, ...newest].map(({ plate }) => plate))]
  if (candidates.length === 0) return { content: [] }
  const found = await latestDetections(db, candidates, interval, MAX_FOUND_PLATES)
  const locationsById = new Map((await vehicleLocations(db)).map((location) => [location.id, location]))
  return {
    content: found.flatMap(({ plateLpr, detections, locationId, ...last }) => {
      const location = locationsById.get(locationId)
      return location ? [{ plateLpr, detections, last: { ...last, location } }] : []
    }),
  }
}
