import { createHash } from 'node:crypto'
import { type putImage as endpoint, vehicleId } from '@rogatka/contract/ingest.ts'
import { imageTypes } from '@rogatka/contract/vehicle.ts'
import { acceptance } from '@rogatka/domain/ingest/acceptance.ts'
import type { Config } from '../config.ts'
import type { Files } from '../core/files.ts'
import { isJpeg } from '../core/image-scaler.ts'
import { Refusal } from '../core/refusal.ts'
import type { Call } from '../core/route.ts'
import { pathOfImage, putImage } from '../vehicle/public-api.ts'
import type { createImageNotices } from './image-notices.ts'
import { withRetry } from './store.ts'

/**
 * Stores one picture, before or after its vehicle. The bytes come first and the row after them, so a row never points
 * at nothing; the same picture again changes nothing. What another one replaces stays on the disk
 * until its partition goes: it may be the very one that a repeat is just bringing back.
 */
export async function storeImage(
  call: Call<typeof endpoint>,
  { files, config, notices }: { files: Files; config: Config; notices: ReturnType<typeof createImageNotices> },
): Promise<void> {
  const { db, now, params, query, station, request } = call
  const { createdAt } = query
  const verdict = acceptance(createdAt, now, Math.min(config.imageRetentionDays, config.retentionDays))
  if (verdict !== 'accepted') throw new Refusal(verdict, 422, 'createdAt')
  const bytes = request.body
  if (!Buffer.isBuffer(bytes) || !(await isJpeg(bytes))) throw new Refusal('not-a-jpeg', 422)

  const key = { locationId: station.locationId, createdAt, id: vehicleId(station.locationId, params.sequence) }
  const type = imageTypes.indexOf(params.type) + 1
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await files.put(pathOfImage(key, { type, sha256 }), bytes)
  await withRetry(db, [createdAt], config.partitions, () =>
    putImage(db, key, { type, size: bytes.length, sha256 }, now),
  )
  // A repeat too: the answer to the first may have been lost together with its notice.
  notices.add(key)
}
