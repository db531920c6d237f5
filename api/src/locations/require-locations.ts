import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { locations } from './queries.ts'

/**
 * The ids, ascending and each once.
 * @throws 422 at the field `locationIds` if a station is unknown
 */
export async function requireLocations(db: Database, ids: readonly number[]): Promise<number[]> {
  const known = new Set((await locations(db)).map(({ id }) => id))
  if (!ids.every((id) => known.has(id))) throw new Refusal('location-not-found', 422, 'locationIds')
  return [...new Set(ids)].sort((a, b) => a - b)
}
