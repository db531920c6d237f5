import { createHash } from 'node:crypto'
import { type putImage as endpoint, vehicleId } from '@rogatka/contract/ingest.ts'
import { imageTypes } from '@rogatka/contract/vehicle.ts'
import { acceptance } from '@rogatka/domain/ingest/acceptance.ts'
import type { Config } from '../config.ts'
import type { Files } from '../core/files.ts'
import { isJpeg } from '../core/image-scaler.ts'
import { Refusal } from '../core/refusal.ts'
import type { Call } from '../core/route.ts'
import { imagePath, upsertImage } from '../vehicle/public-api.ts'
import type { createImageNotifier } from './image-notifier.ts'
import { withRetry } from './store.ts'

/**
 * Stores one image, before or after its vehicle. Idempotent. The file is written before the row, so that no row lacks
 * its file. A replaced file stays until its partition is deleted, because a concurrent repeat may need it.
 */
export async function storeImage(
  call: Call<typeof endpoint>,
  { files, config, notifier }: { files: Files; config: Config; notifier: ReturnType<typeof createImageNotifier> },
): Promise<void> {
  const { db, now, params, query, station, request } = call
  const { createdAt } = query
  const status = acceptance(createdAt, now, Math.min(config.imageRetentionDays, config.retentionDays))
  if (status !== 'accepted') throw new Refusal(status, 422, 'createdAt')
  const bytes = request.body
  if (!Buffer.isBuffer(bytes) || !(await isJpeg(bytes))) throw new Refusal('not-a-jpeg', 422)

  const key = { locationId: station.locationId, createdAt, id: vehicleId(station.locationId, params.sequence) }
  const type = imageTypes.indexOf(params.type) + 1
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await files.put(imagePath(key, { type, sha256 }), bytes)
  await withRetry(db, [createdAt], config.partitions, () =>
    upsertImage(db, key, { type, size: bytes.length, sha256 }, now),
  )
  // For repeats too: the first response may have been lost with its notification.
  notifier.add(key)
}
