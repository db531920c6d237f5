import type { InspectionState } from '@rogatka/contract/options.ts'
import type { InspectionMark } from '@rogatka/contract/vehicle.ts'
import { inspectionNumber } from '@rogatka/domain/inspections/number.ts'
import type { Database } from '../core/database.ts'
import { type PassageKey, vehicleKey } from '../core/passage.ts'
import { type Statement, sql } from '../core/statement.ts'
import { type InspectionRow, selectInspections } from './queries.ts'
import { OPEN } from './search-queries.ts'

const keysOf = (keys: readonly PassageKey[]): Statement => sql`
  unnest(
    ${keys.map(({ locationId }) => String(locationId))}::int[],
    ${keys.map(({ createdAt }) => createdAt)}::timestamptz[],
    ${keys.map(({ id }) => String(id))}::bigint[]
  ) as w (location_id, vehicle_created_at, vehicle_id)`

/** All inspections of these vehicles. */
export const inspectionsOf = (db: Database, keys: readonly PassageKey[]) =>
  db.prepared<Pick<InspectionRow, 'id' | 'locationId' | 'vehicleId' | 'vehicleCreatedAt'>>(sql`
    select distinct i.id, i.location_id as "locationId", i.vehicle_id as "vehicleId",
           i.vehicle_created_at as "vehicleCreatedAt"
    from ${keysOf(keys)}
    join inspection i using (location_id, vehicle_created_at, vehicle_id)`)

/** The inspection of each of these vehicles that has one: the open one, else a closed one, else the latest; by `vehicleKey`. */
export async function inspectionMarks(db: Database, keys: readonly PassageKey[]): Promise<Map<string, InspectionMark>> {
  if (keys.length === 0) return new Map()
  const rows = await db.prepared<{
    id: number
    code: string
    year: number
    sequence: number
    state: InspectionState
    vehicleId: number
    vehicleCreatedAt: Date
  }>(sql`
    select distinct on (i.location_id, i.vehicle_created_at, i.vehicle_id)
           i.id, i.code, i.year, i.sequence, i.state, i.vehicle_id as "vehicleId",
           i.vehicle_created_at as "vehicleCreatedAt"
    from ${keysOf(keys)}
    join inspection i using (location_id, vehicle_created_at, vehicle_id)
    order by i.location_id, i.vehicle_created_at, i.vehicle_id, i.state in ${OPEN} desc,
             i.state = 'closed' desc, i.id desc`)
  return new Map(
    rows.map(({ id, code, year, sequence, state, vehicleId, vehicleCreatedAt }) => [
      vehicleKey({ id: vehicleId, createdAt: vehicleCreatedAt }),
      { id, number: inspectionNumber(sequence, year, code), state },
    ]),
  )
}

/** Stations with an open inspection. */
export async function stationsWithOpenInspections(db: Database): Promise<number[]> {
  const rows = await db.query<{ locationId: number }>(sql`
    select distinct location_id as "locationId" from inspection where state in ${OPEN}`)
  return rows.map(({ locationId }) => locationId)
}

/** The latest inspection of a vehicle with weights. */
export async function weighedInspectionOf(db: Database, key: PassageKey): Promise<InspectionRow | undefined> {
  const [found] = await db.query<InspectionRow>(sql`
    ${selectInspections}
    where i.location_id = ${key.locationId} and i.vehicle_created_at = ${key.createdAt}::timestamptz
      and i.vehicle_id = ${key.id} and i.weighing is not null and i.state in ('weighed', 'closed')
    order by i.id desc limit 1`)
  return found
}
