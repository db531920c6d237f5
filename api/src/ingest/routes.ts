import { createHash } from 'node:crypto'
import { post, putImage, quarantine } from '@rogatka/contract/ingest.ts'
import { derive } from '@rogatka/domain/ingest/derive.ts'
import { measurementAsSeenBy } from '../core/anonymity.ts'
import { assertFreeSpace } from '../core/disk.ts'
import { toApiErrors } from '../core/error-mapping.ts'
import type { Files } from '../core/files.ts'
import type { FieldError } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { storeBatch } from './batch.ts'
import { createImageNotices } from './image-notices.ts'
import { storeImage } from './images.ts'
import { insertQuarantined, quarantinePage, type RejectedVehicle } from './queries.ts'
import { readBatch } from './read.ts'
import { createStationCache } from './station.ts'
import { toStorableJson } from './storable-json.ts'
import { type Rejected, validateBatch } from './validate.ts'

/** Another vehicle under the number and time of one that is stored, or that came before it in the batch. */
const REUSED: FieldError = { path: 'sequence', code: 'sequence-reused' }

/** Opens the door of the stations, and the view on what was turned away there. */
export function ingestRoutes(api: Api, files: Files): void {
  const stationAndLaw = createStationCache(api.db)
  const notices = createImageNotices(api.db, api.http.log)
  api.http.addHook('onClose', notices.stop)

  route(api, post, async ({ db, now, station: { locationId }, request, language }) => {
    if (!api.config.databaseUrl) await assertFreeSpace(api.config.dataDir, api.config.diskReserve)
    const batch = readBatch(request.body as Buffer | undefined, request.headers['content-type'])
    const { station, limitsAt } = await stationAndLaw(locationId, now)
    const { candidates, rejected } = validateBatch(batch, station, now, api.config.retentionDays)
    const vehicles = candidates.map((candidate) => ({
      ...candidate,
      derived: derive(candidate.measured, station, limitsAt(candidate.measured.createdAt), api.config.overloadBasis),
    }))
    const { accepted, duplicates, reused } = await storeBatch(db, locationId, vehicles, now, api.config.partitions)
    const unwanted = [
      ...rejected,
      ...reused.map(({ index, value }): Rejected => ({ index, value, faults: [REUSED] })),
    ].sort((a, b) => a.index - b.index)
    if (unwanted.length > 0) await insertQuarantined(db, locationId, unwanted.map(toUnwanted), now)
    return {
      accepted,
      duplicates,
      rejected: unwanted.map(({ index, faults }) => ({ index, errors: toApiErrors(faults, language) })),
    }
  })

  route(api, putImage, (call) => storeImage(call, { files, config: api.config, notices }))

  route(api, quarantine, async ({ db, session, query: { page, limit }, language }) => {
    const { content, totalCount } = await quarantinePage(db, page, limit)
    const told = content.map(({ faults, measurement, ...rest }) => ({
      ...rest,
      measurement: measurementAsSeenBy(session, measurement),
      errors: toApiErrors(faults, language),
    }))
    return { content: told, totalCount }
  })
}

function toUnwanted({ value, faults }: Rejected): RejectedVehicle {
  const measurement = toStorableJson(value)
  return {
    digest: createHash('sha256')
      .update(JSON.stringify([measurement, faults]))
      .digest(),
    measurement,
    faults,
  }
}
