import type { WUnits } from '@rogatka/contract/imports.ts'
import { toWarsaw } from '@rogatka/domain/core/warsaw.ts'
import { fitsWRecord, formatWRecord, type WLayout, type WVehicle } from '@rogatka/domain/imports/wRecords.ts'
import { createYielder, type RowBatches } from '../reports/public-api.ts'
import type { ListVehicle } from './list-vehicle.ts'

const toWVehicle = ({ location, lane, createdAt, ctg8p1, totalLoad, axles }: ListVehicle): WVehicle => ({
  locationId: location.id,
  laneNumber: lane.laneNumber,
  local: toWarsaw(createdAt.getTime()),
  ctg8p1: ctg8p1 ?? 0,
  totalLoad: totalLoad ?? 0,
  axles: axles ?? [],
})

/** W records, a line each, of the vehicles that fit into one; times are Polish. */
export async function* wRecords(
  batches: RowBatches<ListVehicle>,
  layout: WLayout,
  units: WUnits,
): AsyncGenerator<Buffer> {
  const maybeYield = createYielder()
  for await (const batch of batches) {
    const lines = batch
      .map(toWVehicle)
      .filter(fitsWRecord)
      .map((vehicle) => `${formatWRecord(vehicle, layout, units)}\r\n`)
    if (lines.length > 0) yield Buffer.from(lines.join(''), 'latin1')
    await maybeYield()
  }
}
