import type { HealthCheck, HealthEvidence, HealthKind, HealthSettings, HealthState } from '@rogatka/contract/tickets.ts'
import type { Sql } from '../core/database.ts'

export const healthSettings = async (sql: Sql): Promise<HealthSettings> => {
  const [row] = await sql<HealthSettings[]>`
    select auto_open as "autoOpen", auto_close as "autoClose" from station_watch`
  return row as HealthSettings
}

/** The same, kept from others until the transaction ends. */
export const lockHealthSettings = async (sql: Sql): Promise<HealthSettings> => {
  await sql`select from station_watch for update`
  return healthSettings(sql)
}

export const setHealthSettings = (sql: Sql, { autoOpen, autoClose }: HealthSettings) => sql`
  update station_watch set auto_open = ${autoOpen}, auto_close = ${autoClose}`

/** A lane, or 0 for the whole station, and what was looked at. */
export type CheckKey = { locationId: number; laneNumber: number; kind: HealthKind }
export type Verdict = CheckKey & { state: HealthState; evidence: HealthEvidence }

/** The last verdicts, with the failures that stand. */
export const checks = (sql: Sql) => sql<(Omit<HealthCheck, 'evidence'> & { locationId: number; evidence: object })[]>`
  select c.location_id as "locationId", nullif(c.lane_number, 0) as "laneNumber", c.kind, c.state,
         c.checked_at as "checkedAt", c.evidence, f.begun_at as since, f.ticket_id as "ticketId"
  from station_check c
  left join station_failure f
    on f.location_id = c.location_id and f.lane_number = c.lane_number and f.kind = c.kind and f.ended_at is null
  order by c.location_id, c.lane_number, c.kind`
