import { fromWarsaw } from '@rogatka/domain/core/warsaw.ts'
import { type HighestLimits, highestLimits } from '@rogatka/domain/vehicle/limits.ts'
import type { Config } from '../config.ts'
import type { Database } from '../core/database.ts'
import { limitsDocumentAt, listLimitsOfStations } from '../locations/public-api.ts'
import { loadsByStation } from './distribution-results.ts'
import type { DistributionRequest } from './distributions.ts'

/**
 * Loads with the highest limits in force at the end of the range, or now if that is earlier, and with the basis by which
 * overloads are evaluated.
 */
export async function limitedLoads(
  db: Database,
  request: DistributionRequest,
  { now, overloadBasis }: Pick<Config, 'overloadBasis'> & { now: Date },
) {
  const [, to] = request.range
  const lastInstant = new Date(Math.min(now.getTime(), fromWarsaw(Date.parse(to)) - 1))
  const limits = await limitsByStation(
    db,
    request.locations.map(({ id }) => id),
    lastInstant,
  )
  return (await loadsByStation(db, request)).map((loads) => ({
    ...loads,
    limits: limits(loads.location.id),
    overloadBasis,
  }))
}

/** @throws Error if there are no limits in the database */
async function limitsByStation(db: Database, ids: readonly number[], at: Date): Promise<(id: number) => HighestLimits> {
  const documents = await listLimitsOfStations(db, ids)
  return (id) => {
    const ofStation = documents.filter(({ locationId }) => locationId === id || locationId === 0)
    const document = limitsDocumentAt(ofStation, at)
    if (!document) throw new Error('There are no legal limits in the database')
    return highestLimits(document.limits)
  }
}
