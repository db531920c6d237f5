import { post, putImage, quarantine } from '@rogatka/contract/ingest.ts'
import { derive } from '@rogatka/domain/ingest/derive.ts'
import { measurementAsSeenBy } from '../core/anonymity.ts'
import { assertFreeSpace } from '../core/disk.ts'
import { toApiErrors } from '../core/error-mapping.ts'
import type { Files } from '../core/files.ts'
import { type Api, route } from '../core/route.ts'
import { storeBatch } from './batch.ts'
import { createImageStore, type ImageUses } from './images.ts'
import { insertQuarantined, quarantinePage } from './queries.ts'
import { readBatch } from './read.ts'
import { REUSED, toRejectedVehicle } from './rejected.ts'
import { createStationCache } from './station.ts'
import { createVehicleStore } from './store.ts'
import { type Rejected, validateBatch } from './validate.ts'

/** Registers the routes of stations for measurements and images, and the list of rejected vehicles. */
export function ingestRoutes(api: Api, files: Files, images: ImageUses): void {
  const stationCache = createStationCache(api.db)
  const storeVehicles = createVehicleStore(api.db, api.config.partitions)

  route(api, post, async ({ db, now, station: { locationId }, request, language }) => {
    if (!api.config.databaseUrl) await assertFreeSpace(api.config.dataDir, api.config.diskReserve)
    const startedAt = performance.now()
    const batch = readBatch(request.body as Buffer | undefined, request.headers['content-type'])
    const { station, limitsAt } = await stationCache(locationId, now)
    const { candidates, rejected } = validateBatch(batch, station, now, api.config.retentionDays)
    const vehicles = candidates.map((candidate) => ({
      ...candidate,
      derived: derive(candidate.measured, station, limitsAt(candidate.measured.createdAt), api.config.overloadBasis),
    }))
    const { accepted, duplicates, reused } = await storeBatch(storeVehicles, locationId, vehicles, now)
    const allRejected = [
      ...rejected,
      ...reused.map(({ index, value }): Rejected => ({ index, value, errors: [REUSED] })),
    ].sort((a, b) => a.index - b.index)
    if (allRejected.length > 0) await insertQuarantined(db, locationId, allRejected.map(toRejectedVehicle), now)
    api.metrics.recordBatch(
      { accepted, duplicates, rejected: allRejected.length },
      (performance.now() - startedAt) / 1_000,
    )
    return {
      accepted,
      duplicates,
      rejected: allRejected.map(({ index, errors }) => ({ index, errors: toApiErrors(errors, language) })),
    }
  })

  route(api, putImage, createImageStore(api.db, files, images, api.config))

  route(api, quarantine, async ({ db, session, query: { page, limit }, language }) => {
    const { content, totalCount } = await quarantinePage(db, page, limit)
    const rows = content.map(({ errors, measurement, ...rest }) => ({
      ...rest,
      measurement: measurementAsSeenBy(session, measurement),
      errors: toApiErrors(errors, language),
    }))
    return { content: rows, totalCount }
  })
}
