import { searchQuery } from '@rogatka/contract/archive.ts'
import type { Interval } from '@rogatka/domain/core/time.ts'
import type { Pool } from '../core/database.ts'
import { listPartitions } from '../core/partitions.ts'
import { locations } from '../locations/public-api.ts'
import { createCounts } from './counts.ts'
import { sum } from './intervals.ts'
import { countStoredVehicles } from './queries.ts'
import { inSnapshot, resolveSearchSpec } from './search.ts'

/** A partition whose row count differs from the count of a search. */
type CountDifference = Interval & { counted: number; stored: number }

/** No user and no restrictions. */
const VERIFIER = { userId: 0, permissions: [] }

/**
 * Compares the count of a search over each partition with its rows, one snapshot per partition: finds wrong search
 * scopes too, even if the roll-ups are right.
 */
export async function verifyCounts(db: Pool): Promise<CountDifference[]> {
  const stations = (await locations(db)).map(({ id }) => id)
  const differences: CountDifference[] = []
  for (const { from, to, attached, pending } of await listPartitions(db, 'vehicle')) {
    if (!attached || pending || stations.length === 0) continue
    const query = searchQuery.parse({
      dateTimeStart: from.toISOString(),
      dateTimeEnd: to.toISOString(),
      locations: stations.join(','),
    })
    const difference = await inSnapshot(db, VERIFIER, async (db, state) => {
      await db.liftTimeLimit()
      const spec = await resolveSearchSpec(db, query, VERIFIER, state)
      const counted = spec ? sum(await createCounts()(db, spec, state)) : 0
      return { from, to, counted, stored: await countStoredVehicles(db, from, to) }
    })
    if (difference.counted !== difference.stored) differences.push(difference)
  }
  return differences
}
