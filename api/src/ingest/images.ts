import { createHash } from 'node:crypto'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { type ImageType, imageTypes } from '@rogatka/contract/vehicle.ts'
import { acceptance } from '@rogatka/domain/ingest/acceptance.ts'
import type { Config } from '../config.ts'
import type { Pool } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { createGroupCommit } from '../core/group-commit.ts'
import { imagePath } from '../core/image-path.ts'
import { endOfJpeg } from '../core/jpeg.ts'
import type { PassageKey } from '../core/passage.ts'
import { Refusal } from '../core/refusal.ts'
import { type ImageVersions, type StoredImage, upsertImages } from '../vehicle/public-api.ts'
import { withRetry } from './store.ts'

/** Rows per statement. */
const MAX_ROWS = 500

/** An image of a vehicle as it arrived; `bytes` undefined: there was no body. */
type ReceivedImage = {
  locationId: number
  sequence: number
  createdAt: Date
  type: ImageType
  bytes: Buffer | undefined
  now: Date
}

/**
 * Stores one image, before or after its vehicle. Idempotent. The file is written before the row, so that no row lacks
 * its file. A replaced file stays until its partition is deleted, because a concurrent repeat may need it.
 * @throws Refusal if it is no JPEG, too old or of the future, or if the disk is full; errors of the database
 */
export type ReceiveImage = (image: ReceivedImage) => Promise<void>

/** What is done with stored images. `onStored` must not throw, as the images are already stored. */
export type ImageUses = { versions: ImageVersions; onStored: (images: readonly PassageKey[]) => Promise<void> }

/** Stores images and has their versions created; the rows of concurrent requests are written, and all processes notified of them, together. */
export function createImageReceiver(
  db: Pool,
  files: Files,
  { versions, onStored }: ImageUses,
  config: Config,
): ReceiveImage {
  const upsert = createGroupCommit({
    write: async (images: readonly StoredImage[]) => {
      const instants = images.map(({ createdAt }) => createdAt)
      await withRetry(db, instants, config.partitions, () =>
        db.transaction(
          async (db) => {
            await upsertImages(db, images)
            // Before the commit, which announces the images to all screens and has little left that can fail.
            for (const image of images) versions.enqueue(image)
          },
          { genericPlans: true },
        ),
      )
      await onStored(images)
      return images
    },
    sizeOf: () => 1,
    maxSize: MAX_ROWS,
  })

  return async ({ locationId, sequence, createdAt, type: typeName, bytes: received, now }) => {
    const status = acceptance(createdAt, now, Math.min(config.imageRetentionDays, config.retentionDays))
    if (status !== 'accepted') throw new Refusal(status, 422, 'createdAt')
    const end = received ? endOfJpeg(received) : null
    if (!received || end === null) throw new Refusal('not-a-jpeg', 422)
    // Some cameras append data of their own, which no viewer needs.
    const bytes = received.subarray(0, end)

    const key = { locationId, createdAt, id: vehicleId(locationId, sequence) }
    const type = imageTypes.indexOf(typeName) + 1
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await files.put(imagePath(key, { type, sha256 }), bytes)
    // Repeats are notified too: the first response may have been lost.
    await upsert({ ...key, type, size: bytes.length, sha256, receivedAt: now })
  }
}
