import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Pool } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { daysBetween, dropPartitionsBefore, ensurePartitions, type PartitionUnit } from '../core/partitions.ts'
import { foldersOfImages } from './image-paths.ts'
import { removeTagsBefore } from './queries.ts'

/** The days whose partitions stand ready before anybody sends a vehicle of them; others are made when one comes. */
const DAYS_BACK = 35
const DAYS_AHEAD = 62

/** In days. */
type Retention = { retentionDays: number; imageRetentionDays: number }

/** Makes the partitions of the months or weeks around now, so that no vehicle ever waits for one. */
export const preparePartitions = (db: Pool, now: Date, span: PartitionUnit): Promise<void> =>
  ensureVehiclePartitions(
    db,
    daysBetween(new Date(now.getTime() - DAYS_BACK * DAY_MS), new Date(now.getTime() + DAYS_AHEAD * DAY_MS)),
    span,
  )

/**
 * Drops the partitions of which every vehicle, and those of which every picture, is older than is kept, with the
 * pictures' files. The hourly roll-up stays: it names nobody.
 */
export async function dropExpired(
  db: Pool,
  files: Files,
  now: Date,
  { retentionDays, imageRetentionDays }: Retention,
): Promise<void> {
  const vehiclesBefore = new Date(now.getTime() - retentionDays * DAY_MS)
  const imagesBefore = new Date(now.getTime() - Math.min(imageRetentionDays, retentionDays) * DAY_MS)
  // The files go while their partition still stands, so that a run cut short finds them again.
  await dropPartitionsBefore(db, 'vehicle_image', imagesBefore, async (stretch) => {
    for (const folder of foldersOfImages(stretch)) await files.removeFolder(folder)
  })
  await dropPartitionsBefore(db, 'vehicle_detail', vehiclesBefore)
  await dropPartitionsBefore(db, 'vehicle', vehiclesBefore)
  await removeTagsBefore(db, vehiclesBefore)
}

/** Makes the partitions of vehicles, details and pictures at these instants where they are missing. */
export const ensureVehiclePartitions = (db: Pool, instants: readonly Date[], span: PartitionUnit) =>
  ensurePartitions(db, ['vehicle', 'vehicle_detail', 'vehicle_image'], instants, span)
