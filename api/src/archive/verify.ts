import { search } from '@rogatka/contract/archive.ts'
import type { Pool } from '../core/database.ts'
import { type Interval, partitionsOf } from '../core/partitions.ts'
import { locations } from '../locations/queries.ts'
import { createCounts } from './counts.ts'
import { sum } from './intervals.ts'
import { vehiclesBetween } from './queries.ts'
import { inSnapshot, wantedOf } from './search.ts'

/** A partition of vehicles with another number of rows than a search of the archive counts in it. */
type CountDifference = Interval & { counted: number; stored: number }

/** Nobody in particular: whoever may see all. */
const VERIFIER = { userId: 0, permissions: [] }

/**
 * Compares the count of a search over each partition with its rows, one partition per snapshot: a search that looks in
 * the wrong place is found too, though its roll-ups are right.
 */
export async function verifyCounts(db: Pool): Promise<CountDifference[]> {
  const stations = (await locations(db)).map(({ id }) => id)
  const differences: CountDifference[] = []
  for (const { from, to, attached, pending } of await partitionsOf(db, 'vehicle')) {
    if (!attached || pending || stations.length === 0) continue
    const query = search.query.parse({
      dateTimeStart: from.toISOString(),
      dateTimeEnd: to.toISOString(),
      locations: stations.join(','),
    })
    const difference = await inSnapshot(db, VERIFIER, async (db, state) => {
      await db.liftTimeLimit()
      const wanted = await wantedOf(db, query, VERIFIER, state)
      const counted = wanted ? sum(await createCounts()(db, wanted, state)) : 0
      return { from, to, counted, stored: await vehiclesBetween(db, from, to) }
    })
    if (difference.counted !== difference.stored) differences.push(difference)
  }
  return differences
}
