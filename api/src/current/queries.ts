import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { LIVE_LOOKBACK_MS } from '@rogatka/domain/current/live.ts'
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

/** What filters of the live list compare, as stored. */
export type ShownRow = {
  locationId: number
  laneNumber: number
  plateLpr: string | null
  ctg8p1: number
  speed: number | null
  totalLoad: number | null
  vehLength: number | null
  vehHeight: number | null
  numberOfAxles: number | null
  overloadSA: number | null
  overloadMA: number | null
  overloadTL: number | null
  violations: number
}

/**
 * Vehicles of stations that were live in [from, to], by hour of measurement. `maxAdditionalMs`: how long they may stay live
 * after their checkpoint.
 */
export async function* vehiclesShown(
  db: Pool,
  locationIds: readonly number[],
  { from, to }: { from: Date; to: Date },
  maxAdditionalMs: number,
): AsyncGenerator<ShownRow[]> {
  const leavingAfter = new Date(from.getTime() - maxAdditionalMs)
  for (let at = from.getTime() - LIVE_LOOKBACK_MS; at <= to.getTime(); at += HOUR_MS)
    yield await db.prepared<ShownRow>(sql`
      select location_id as "locationId", lane_number as "laneNumber", plate_lpr as "plateLpr", ctg8p1, speed,
             total_load as "totalLoad", veh_length as "vehLength", veh_height as "vehHeight",
             number_of_axles as "numberOfAxles", overload_sa as "overloadSA", overload_ma as "overloadMA",
             overload_tl as "overloadTL", violations
      from vehicle
      where location_id = any(${locationIds.map(String)}::bigint[]) and hour_only is not true
        and created_at >= ${new Date(at)}::timestamptz and created_at < ${new Date(at + HOUR_MS)}::timestamptz
        and created_at <= ${to}::timestamptz
        and coalesce(checkpoint_time, created_at) > ${leavingAfter}::timestamptz`)
}
