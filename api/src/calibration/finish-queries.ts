import type { FinishDate } from '@rogatka/contract/calibration.ts'
import { laneId } from '@rogatka/contract/options.ts'
import { GENERAL_FIRST_AXLE } from '@rogatka/domain/calibration/statistics.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

type NewFinish = { locationId: number; lanes: readonly number[]; finishedAt: Date }

/**
 * Inserts a finished calibration of these lanes; an existing one of the same time is kept unless revoked. Returns the
 * changed lanes.
 */
export const insertFinish = (
  db: Database,
  { locationId, lanes, finishedAt }: NewFinish,
  by: { userId: number; username: string },
  now: Date,
) =>
  db.query<{ laneNumber: number }>(sql`
  insert into calibration_finish as f (location_id, lane_number, finished_at, entered_at, user_id, username)
  select ${locationId}::int, lane_number, ${finishedAt}::timestamptz, ${now}::timestamptz, ${by.userId}::int, ${by.username}
  from unnest(${lanes.map(String)}::smallint[]) as l (lane_number)
  on conflict (location_id, lane_number, finished_at) do update
  set entered_at = excluded.entered_at, user_id = excluded.user_id, username = excluded.username,
      revoked_at = null, revoked_by = null, revoke_reason = null,
      corrected_at = null, corrected_by = null, correct_reason = null, corrected_from = null, version = f.version + 1
  where f.revoked_at is not null
  returning lane_number as "laneNumber"`)

type FinishRow = Omit<FinishDate, 'location' | 'lane' | 'reference' | 'collected' | 'corrected' | 'revoked'> & {
  locationId: number
  laneNumber: number
  vehicles: number | null
  firstAxleAvg: number | null
  revokedAt: Date | null
  revokedBy: string | null
  revokeReason: string | null
  correctedAt: Date | null
  correctedBy: string | null
  correctReason: string | null
  correctedFrom: Date | null
}

/** The finish dates of all lanes of these locations, newest first. */
export async function listFinishes(
  db: Database,
  locations: readonly { id: number; shortName: string }[],
): Promise<Omit<FinishDate, 'collected'>[]> {
  const rows = await db.query<FinishRow>(sql`
    select f.location_id as "locationId", f.lane_number as "laneNumber", f.finished_at as "finishedAt",
           f.version, f.entered_at as "enteredAt", f.username as "enteredBy", r.vehicles,
           round(r.load_sum::numeric / nullif(r.vehicles, 0))::int as "firstAxleAvg",
           f.revoked_at is null and f.finished_at = max(f.finished_at) filter (where f.revoked_at is null)
             over (partition by f.location_id, f.lane_number) as "inForce",
           f.revoked_at as "revokedAt", f.revoked_by as "revokedBy", f.revoke_reason as "revokeReason",
           f.corrected_at as "correctedAt", f.corrected_by as "correctedBy", f.correct_reason as "correctReason",
           f.corrected_from as "correctedFrom"
    from calibration_finish f
    left join calibration_reference r using (location_id, lane_number, finished_at)
    where f.location_id = any(${locations.map(({ id }) => String(id))}::int[])
    order by f.finished_at desc, f.location_id, f.lane_number`)
  const names = new Map(locations.map(({ id, shortName }) => [id, shortName]))
  return rows.map((row) => ({
    location: { id: row.locationId, shortName: names.get(row.locationId) ?? '' },
    lane: { id: laneId(row.locationId, row.laneNumber), laneNumber: row.laneNumber },
    finishedAt: row.finishedAt,
    version: row.version,
    enteredAt: row.enteredAt,
    enteredBy: row.enteredBy,
    inForce: row.inForce,
    reference:
      row.vehicles === null ? null : { firstAxleAvg: row.firstAxleAvg ?? GENERAL_FIRST_AXLE, counter: row.vehicles },
    corrected: row.correctedAt && {
      at: row.correctedAt,
      by: row.correctedBy ?? '',
      reason: row.correctReason ?? '',
      from: row.correctedFrom ?? row.finishedAt,
    },
    revoked: row.revokedAt && { at: row.revokedAt, by: row.revokedBy ?? '', reason: row.revokeReason ?? '' },
  }))
}

/** One calibration of several lanes of a location. */
export type FinishSelection = { locationId: number; lanes: readonly number[]; finishedAt: Date }

const selected = ({ locationId, lanes, finishedAt }: FinishSelection) => sql`
  location_id = ${locationId} and lane_number = any(${lanes.map(String)}::smallint[])
    and finished_at = ${finishedAt}::timestamptz`

/** The measured references of this calibration; only of lanes that have one. */
export const listReferences = (db: Database, selection: FinishSelection) =>
  db.query<{ laneNumber: number }>(sql`
  select lane_number as "laneNumber" from calibration_reference where ${selected(selection)}`)

export type LockedFinish = {
  laneNumber: number
  enteredBy: string
  version: number
  reason: string | null
  valid: boolean
}

/** Locks the calibration of these lanes until the end of the transaction. */
export const lockFinishes = (db: Database, selection: FinishSelection) =>
  db.query<LockedFinish>(sql`
  select lane_number as "laneNumber", username as "enteredBy", version, revoke_reason as reason,
         revoked_at is null as valid
  from calibration_finish
  where ${selected(selection)}
  order by lane_number
  for update`)

/** Revokes a calibration, or restores it without a `revocation`. */
export const setRevocation = (
  db: Database,
  selection: FinishSelection,
  revocation: { at: Date; by: string; reason: string } | null,
) =>
  db.execute(sql`
  update calibration_finish
  set revoked_at = ${revocation?.at ?? null}::timestamptz, revoked_by = ${revocation?.by ?? null}::text,
      revoke_reason = ${revocation?.reason ?? null}::text, version = version + 1
  where ${selected(selection)}`)

/** Moves a calibration to another time. */
export const moveFinishes = (
  db: Database,
  selection: FinishSelection,
  { time, at, by, reason }: { time: Date; at: Date; by: string; reason: string },
) =>
  db.execute(sql`
  update calibration_finish
  set finished_at = ${time}::timestamptz, corrected_at = ${at}::timestamptz, corrected_by = ${by}::text,
      correct_reason = ${reason}::text, corrected_from = finished_at, version = version + 1
  where ${selected(selection)}`)
