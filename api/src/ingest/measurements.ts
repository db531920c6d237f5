import type { ValueOf } from '@rogatka/contract/endpoint.ts'
import type { post } from '@rogatka/contract/ingest.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { derive } from '@rogatka/domain/ingest/derive.ts'
import { assertFreeSpace } from '../core/disk.ts'
import { toApiErrors } from '../core/error-mapping.ts'
import type { Api } from '../core/route.ts'
import { storeBatch } from './batch.ts'
import { insertQuarantined } from './queries.ts'
import { readBatch } from './read.ts'
import { REUSED, toRejectedVehicle } from './rejected.ts'
import { createStationCache } from './station.ts'
import { createVehicleStore } from './store.ts'
import { type RejectedItem, validateBatch } from './validate.ts'

/** Measurements of one station as they arrived; `contentType` tells NDJSON from an array, `language` is that of error texts. */
type ReceivedBatch = {
  locationId: number
  body: Buffer | undefined
  contentType: string | undefined
  now: Date
  language: Language
}

/**
 * Stores the valid vehicles of a batch and quarantines the others; resolves after the commit.
 * @throws Refusal if nothing is readable, or if the disk is full; errors of the database
 */
export type ReceiveMeasurements = (batch: ReceivedBatch) => Promise<ValueOf<typeof post, 'response'>>

/** Stores measurements; batches that arrive at the same time share transactions. */
export function createMeasurementReceiver({
  db,
  config,
  metrics,
}: Pick<Api, 'db' | 'config' | 'metrics'>): ReceiveMeasurements {
  const stationCache = createStationCache(db)
  const storeVehicles = createVehicleStore(db, config.partitions)

  return async ({ locationId, body, contentType, now, language }) => {
    if (!config.databaseUrl) await assertFreeSpace(config.dataDir, config.diskReserve)
    const startedAt = performance.now()
    const batch = readBatch(body, contentType)
    const { station, limitsAt } = await stationCache(locationId, now)
    const { candidates, rejected } = validateBatch(batch, station, now, config.retentionDays)
    const vehicles = candidates.map((candidate) => ({
      ...candidate,
      derived: derive(candidate.measured, station, limitsAt(candidate.measured.createdAt), config.overloadBasis),
    }))
    const { accepted, duplicates, reused } = await storeBatch(storeVehicles, locationId, vehicles, now)
    const allRejected = [
      ...rejected,
      ...reused.map(({ index, value }): RejectedItem => ({ index, value, errors: [REUSED] })),
    ].sort((a, b) => a.index - b.index)
    if (allRejected.length > 0) await insertQuarantined(db, locationId, allRejected.map(toRejectedVehicle), now)
    metrics.recordBatch({ accepted, duplicates, rejected: allRejected.length }, (performance.now() - startedAt) / 1_000)
    return {
      accepted,
      duplicates,
      rejected: allRejected.map(({ index, errors }) => ({ index, errors: toApiErrors(errors, language) })),
    }
  }
}
