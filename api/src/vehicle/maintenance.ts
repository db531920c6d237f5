import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Pool } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { daysBetween, dropPartitionsBefore, ensurePartitions, type PartitionUnit } from '../core/partitions.ts'
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

/**
 * Drops partitions in which all vehicles, or all images, are older than the retention, and the image files. The hourly
 * roll-up is kept: it has no personal data.
 */
export async function dropExpired(db: Pool, files: Files, now: Date, retention: Retention): Promise<void> {
  const vehiclesBefore = new Date(now.getTime() - retention.retentionDays * DAY_MS)
  // The files are deleted before their partition, so that an interrupted run finds them again.
  await dropPartitionsBefore(db, 'vehicle_image', imagesSince(now, retention), async (interval) => {
    for (const folder of imageFolders(interval)) await files.removeFolder(folder)
  })
  await dropPartitionsBefore(db, 'vehicle_detail', vehiclesBefore)
  await dropPartitionsBefore(db, 'vehicle', vehiclesBefore)
  await deleteTagsBefore(db, vehiclesBefore)
}

/** Creates missing partitions of vehicles, details and images for these instants, and of their hourly roll-up. */
export async function ensureVehiclePartitions(db: Pool, instants: readonly Date[], unit: PartitionUnit): Promise<void> {
  await ensurePartitions(db, ['vehicle', 'vehicle_detail', 'vehicle_image'], instants, unit)
  await ensurePartitions(db, ['traffic_hour'], instants, 'year')
}
