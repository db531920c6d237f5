import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Database, Pool } from './database.ts'
import {
  countPartitionsBefore,
  daysBetween,
  ensurePartitions,
  intervalAt,
  listPartitions,
  REMOVAL_LIMITS,
  withShortLock,
} from './partitions.ts'
import { runEach } from './run-each.ts'
import { createTrailPartition, dropTrailPartition, TRAIL_DAYS, TRAIL_TABLES } from './trail-queries.ts'

/* The access trail is kept in partitions of a month. */

/** The partitions of the trail from the day before to two months ahead of now, so that no answer waits for one. */
export const prepareTrailPartitions = (db: Pool, now: Date): Promise<void> =>
  ensureTrailPartitions(db, daysBetween(new Date(now.getTime() - DAY_MS), new Date(now.getTime() + 62 * DAY_MS)))

/** The partitions of these instants. */
export const ensureTrailPartitions = (db: Pool, instants: readonly Date[]) =>
  ensurePartitions(db, TRAIL_TABLES, instants, 'month', createTrailPartition)

/** Since when all lines are kept: the start of the month that is `TRAIL_DAYS` ago. */
export const trailKeptSince = (now: Date): Date =>
  intervalAt(new Date(now.getTime() - TRAIL_DAYS * DAY_MS), 'month').from

/**
 * Drops the months whose last line is older than `TRAIL_DAYS`. Returns those that others read for too long, which the next
 * run drops. @throws if the clock of the database says that one has to be kept
 */
export async function dropExpiredTrail(db: Pool, now: Date, limits = REMOVAL_LIMITS): Promise<string[]> {
  const keptSince = trailKeptSince(now)
  const waiting: string[] = []
  const dropMonths = async (table: (typeof TRAIL_TABLES)[number]) => {
    for (const partition of await listPartitions(db, table))
      if (
        partition.to <= keptSince &&
        !(await withShortLock(db, limits, (db) => dropTrailPartition(db, table, partition)))
      )
        waiting.push(partition.name)
  }
  await runEach(TRAIL_TABLES.toReversed().map((table) => () => dropMonths(table)))
  return waiting
}

/** Number of partitions of the trail that should have been dropped a day before `now`. */
export async function countOverdueTrail(db: Database, now: Date): Promise<number> {
  const keptSince = trailKeptSince(new Date(now.getTime() - DAY_MS))
  let count = 0
  for (const table of TRAIL_TABLES) count += await countPartitionsBefore(db, table, keptSince)
  return count
}
