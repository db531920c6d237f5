import { DAY_MS, type Interval } from '@rogatka/domain/core/time.ts'
import type { Database, Pool } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import {
  countPartitionsBefore,
  daysBetween,
  dropPartitionsBefore,
  ensurePartitions,
  type PartitionUnit,
  type RemovalLimits,
} from '../core/partitions.ts'
import { runEach } from '../core/run-each.ts'
import { imageFolders } from './image-paths.ts'
import { deleteTagsBefore } from './queries.ts'

/** Days with partitions created in advance; others are created with their first vehicle. */
const DAYS_BACK = 35
const DAYS_AHEAD = 62

/** In days. */
type Retention = { retentionDays: number; imageRetentionDays: number }

/** Creates the partitions around now, so that ingest need not wait for them. */
export const preparePartitions = (db: Pool, now: Date, unit: PartitionUnit): Promise<void> =>
  ensureVehiclePartitions(
    db,
    daysBetween(new Date(now.getTime() - DAYS_BACK * DAY_MS), new Date(now.getTime() + DAYS_AHEAD * DAY_MS)),
    unit,
  )

/** Images of vehicles before this time are deleted; so are those of deleted vehicles. */
export const imagesSince = (now: Date, { retentionDays, imageRetentionDays }: Retention): Date =>
  new Date(now.getTime() - Math.min(imageRetentionDays, retentionDays) * DAY_MS)

/** Before which time the vehicles of each table are deleted. */
const expiredBefore = (now: Date, retention: Retention) => {
  const vehicles = new Date(now.getTime() - retention.retentionDays * DAY_MS)
  return { vehicle_image: imagesSince(now, retention), vehicle_detail: vehicles, vehicle: vehicles }
}

/**
 * Drops partitions in which all vehicles, or all images, are older than the retention, and the image files. The hourly
 * roll-up is kept: it has no personal data. Returns the partitions that others read for too long, which the next run drops.
 */
export async function dropExpired(
  db: Pool,
  files: Files,
  now: Date,
  retention: Retention,
  limits?: RemovalLimits,
): Promise<string[]> {
  const before = expiredBefore(now, retention)
  const waiting: string[] = []
  // The files are deleted before their partition, so that an interrupted run finds them again.
  const deleteFiles = async (interval: Interval) => {
    for (const folder of imageFolders(interval)) await files.removeFolder(folder)
  }
  const drop = async (table: keyof typeof before, beforeDrop?: (interval: Interval) => Promise<void>) => {
    const left = await dropPartitionsBefore(db, table, before[table], beforeDrop, limits)
    waiting.push(...left)
    return left.length === 0
  }
  await runEach([
    () => drop('vehicle_image', deleteFiles),
    async () => {
      // Vehicles that are still found keep what belongs to them.
      if (!(await drop('vehicle'))) return
      await drop('vehicle_detail')
      await deleteTagsBefore(db, before.vehicle)
    },
  ])
  return waiting
}

/** Number of partitions of vehicles and images that should have been dropped a day before `now`. */
export async function countOverduePartitions(db: Database, now: Date, retention: Retention): Promise<number> {
  let count = 0
  for (const [table, before] of Object.entries(expiredBefore(new Date(now.getTime() - DAY_MS), retention)))
    count += await countPartitionsBefore(db, table, before)
  return count
}

/** Creates missing partitions of vehicles, details and images for these instants, and of their hourly roll-up. */
export async function ensureVehiclePartitions(db: Pool, instants: readonly Date[], unit: PartitionUnit): Promise<void> {
  await ensurePartitions(db, ['vehicle', 'vehicle_detail', 'vehicle_image'], instants, unit)
  await ensurePartitions(db, ['traffic_hour'], instants, 'year')
}
