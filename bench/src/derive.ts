import type { Config } from '@rogatka/api/config.ts'
import { digestOf } from '@rogatka/api/ingest/digest.ts'
import type { NewVehicle } from '@rogatka/api/ingest/queries.ts'
import type { createStationCache } from '@rogatka/api/ingest/station.ts'
import { measurement, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { derive } from '@rogatka/domain/ingest/derive.ts'

type CachedStation = Awaited<ReturnType<ReturnType<typeof createStationCache>>>

/** Validates a measurement and derives what ingest stores. */
export function deriveVehicle(
  wire: WireMeasurement,
  { station, limitsAt }: CachedStation,
  overloadBasis: Config['overloadBasis'],
): NewVehicle {
  const measured = measurement.parse(wire)
  const derived = derive(measured, station, limitsAt(measured.createdAt), overloadBasis)
  return { measured, digest: digestOf(measured), derived }
}
