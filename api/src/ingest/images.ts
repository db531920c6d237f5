import { createHash } from 'node:crypto'
import { type putImage as endpoint, vehicleId } from '@rogatka/contract/ingest.ts'
import { imageTypes } from '@rogatka/contract/vehicle.ts'
import { acceptance } from '@rogatka/domain/ingest/acceptance.ts'
import type { Config } from '../config.ts'
import type { Pool } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { createGroupCommit } from '../core/group-commit.ts'
import { endOfJpeg } from '../core/jpeg.ts'
import type { PassageKey } from '../core/passage.ts'
import { Refusal } from '../core/refusal.ts'
import type { Call } from '../core/route.ts'
import { type ImageVersions, imagePath, type StoredImage, upsertImages } from '../vehicle/public-api.ts'
import { withRetry } from './store.ts'

/** Rows per statement. */
const MAX_ROWS = 500

/**
 * Stores one image, before or after its vehicle. Idempotent. The file is written before the row, so that no row lacks
 * its file. A replaced file stays until its partition is deleted, because a concurrent repeat may need it.
 */
type StoreImage = (call: Call<typeof endpoint>) => Promise<void>

/** What becomes of stored images. `onStored` must not fail: the images are stored. */
export type ImageUses = { versions: ImageVersions; onStored: (images: readonly PassageKey[]) => Promise<void> }

/** Stores images and has their versions made; the rows of concurrent requests are written, and all processes notified of them, together. */
export function createImageStore(
  db: Pool,
  files: Files,
  { versions, onStored }: ImageUses,
  config: Config,
): StoreImage {
  const upsert = createGroupCommit({
    write: async (images: readonly StoredImage[]) => {
      const instants = images.map(({ createdAt }) => createdAt)
      await withRetry(db, instants, config.partitions, () =>
        db.transaction((db) => upsertImages(db, images), { genericPlans: true }),
      )
      await onStored(images)
      return images
    },
    sizeOf: () => 1,
    maxSize: MAX_ROWS,
  })

  return async ({ now, params, query: { createdAt }, station: { locationId }, request }) => {
    const status = acceptance(createdAt, now, Math.min(config.imageRetentionDays, config.retentionDays))
    if (status !== 'accepted') throw new Refusal(status, 422, 'createdAt')
    const received = request.body
    const end = Buffer.isBuffer(received) ? endOfJpeg(received) : null
    if (end === null) throw new Refusal('not-a-jpeg', 422)
    // Some cameras append data of their own, which no viewer needs.
    const bytes = (received as Buffer).subarray(0, end)

    const key = { locationId, createdAt, id: vehicleId(locationId, params.sequence) }
    const type = imageTypes.indexOf(params.type) + 1
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await files.put(imagePath(key, { type, sha256 }), bytes)
    // Repeats are notified too: the first response may have been lost.
    await upsert({ ...key, type, size: bytes.length, sha256, receivedAt: now })
    versions.enqueue({ ...key, type, sha256 })
  }
}
