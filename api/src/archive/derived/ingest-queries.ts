import { type Statement, sql } from '../../core/statement.ts'

/** Part of the statement that stores vehicles: marks their hours as changed. `vehicles` names a CTE of it. */
export const markChangedHours = (vehicles: Statement): Statement => sql`
  insert into arrival (location_id, hour, written_by)
  select distinct location_id, date_trunc('hour', created_at, 'UTC'), pg_current_xact_id()::text::bigint
  from ${vehicles}
  order by 1, 2
  on conflict (location_id, hour) do update set written_by = excluded.written_by`
