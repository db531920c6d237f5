import type { Pool } from '../core/database.ts'
import type { PassageKey } from '../core/passage.ts'
import { sql } from '../core/statement.ts'

/** Keys of the vehicles that may be live: a superset, filtered by `isLive`. */
export const liveCandidateKeys = (db: Pool, createdAfter: Date, leavingAfter: Date) =>
  db.query<PassageKey>(sql`
  select location_id as "locationId", created_at as "createdAt", id
  from vehicle
  where created_at >= ${createdAfter}::timestamptz and coalesce(checkpoint_time, created_at) > ${leavingAfter}::timestamptz`)

/** The last vehicle time of each station. */
export const lastVehicleTimes = (db: Pool) =>
  db.query<{ locationId: number; lastVehicleTime: Date }>(sql`
  select location_id as "locationId", last_vehicle_time as "lastVehicleTime" from location_activity`)
