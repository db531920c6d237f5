import { createHash } from 'node:crypto'
import { post, putImage, quarantine } from '@rogatka/contract/ingest.ts'
import { derive } from '@rogatka/domain/ingest/derive.ts'
import { refuseWhenFull } from '../core/disk.ts'
import { toApiErrors } from '../core/faults.ts'
import type { Files } from '../core/files.ts'
import { type Api, route } from '../core/route.ts'
import { storeImage } from './images.ts'
import { judge, type Rejected } from './judge.ts'
import { keepable } from './keepable.ts'
import { putInQuarantine, quarantinePage, type Unwanted } from './queries.ts'
import { readBatch } from './read.ts'
import { createStations } from './station.ts'
import { storeVehicles } from './store.ts'

/** Opens the door of the stations, and the view on what was turned away there. */
export function ingestRoutes(api: Api, files: Files): void {
  const stationAndLaw = createStations(api.sql)

  route(api, post, async ({ sql, now, station: { locationId }, request, language }) => {
    if (!api.config.databaseUrl) await refuseWhenFull(api.config.dataDir, api.config.diskReserve)
    const batch = readBatch(request.body as Buffer | undefined, request.headers['content-type'])
    const { station, limitsAt } = await stationAndLaw(locationId, now)
    const { good, repeated, rejected } = judge(batch, station, now, api.config.retentionDays)
    const vehicles = good.map((measured) => ({
      measured,
      derived: derive(measured, station, limitsAt(measured.createdAt), api.config.overloadBasis),
    }))
    const accepted = await storeVehicles(sql, locationId, vehicles, now, api.config.partitions)
    if (rejected.length > 0) await putInQuarantine(sql, locationId, rejected.map(unwanted), now)
    return {
      accepted,
      duplicates: good.length - accepted + repeated,
      rejected: rejected.map(({ index, faults }) => ({ index, errors: toApiErrors(faults, language) })),
    }
  })

  route(api, putImage, (call) => storeImage(call, files, api.config))

  route(api, quarantine, async ({ sql, query: { page, limit }, language }) => {
    const { content, totalCount } = await quarantinePage(sql, page, limit)
    const told = content.map(({ faults, ...rest }) => ({ ...rest, errors: toApiErrors(faults, language) }))
    return { content: told, totalCount }
  })
}

function unwanted({ value, faults }: Rejected): Unwanted {
  const measurement = keepable(value)
  return {
    digest: createHash('sha256')
      .update(JSON.stringify([measurement, faults]))
      .digest(),
    measurement,
    faults,
  }
}
