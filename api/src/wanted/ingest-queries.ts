import { MISREAD_DIGITS, MISREAD_LETTERS } from '@rogatka/domain/vehicle/plateMatch.ts'
import { type Statement, sql } from '../core/statement.ts'

/* Parts of the statement that stores vehicles: `vehicles` and `matches` name CTEs of it. */

/** The entries of wanted lists that match vehicles, one row for each pair. */
export const matchPlates = (vehicles: Statement): Statement => sql`
  -- Plates that may match have the same form with confused characters unified: one index lookup per vehicle.
  select f.location_id, f.created_at, f.id, w.id as wanted_id, w.type_of_list, w.plate as entry_plate, f.plate_lpr, f.nationality,
         f.lane_number
  from ${vehicles} f
  join wanted_plate w on w.misread = translate(f.plate_lpr, ${MISREAD_LETTERS}, ${MISREAD_DIGITS})
  where (w.plate = f.plate_lpr or w.allow_misread) and (w.expires_at is null or w.expires_at > f.created_at)`

/** Stores matches as hits, in the order of their keys. */
export const insertHits = (matches: Statement): Statement => sql`
  insert into wanted_hit (location_id, created_at, vehicle_id, wanted_id, entry_plate, plate_lpr, nationality, lane_number)
  select location_id, created_at, id, wanted_id, entry_plate, plate_lpr, nationality, lane_number
  from ${matches}
  order by created_at, id, wanted_id
  on conflict (location_id, created_at, vehicle_id, wanted_id) do nothing`
