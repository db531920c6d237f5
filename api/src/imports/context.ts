import type { Config } from '../config.ts'
import type { Pool } from '../core/database.ts'
import { createStationCache, type StationRules } from '../ingest/public-api.ts'
import { locations } from '../locations/public-api.ts'

/** What work on imports needs. */
export type ImportContext = {
  db: Pool
  config: Pick<Config, 'dataDir' | 'diskReserve' | 'retentionDays' | 'overloadBasis' | 'partitions'>
  now: () => Date
  log: { error: (details: object, text: string) => void }
  /** Ends work between two batches; another process continues. */
  signal: AbortSignal
}

/** Thrown when another process has the lease, or the import was cancelled or is to be continued elsewhere. */
export class LeaseLost extends Error {}

/** The rules of all stations, as they are now. */
export async function loadRules(db: Pool, now: Date): Promise<(locationId: number) => StationRules | undefined> {
  const cache = createStationCache(db)
  const ids = (await locations(db)).map(({ id }) => id)
  const rules = new Map(await Promise.all(ids.map(async (id) => [id, await cache(id, now)] as const)))
  return (locationId) => rules.get(locationId)
}
