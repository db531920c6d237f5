import type { ShiftCommand } from '@rogatka/contract/shifts.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** A command; `outcome`: `done`, the code of an error, or null while it is pending. */
export type ShiftCommandRow = Omit<ShiftCommand, 'done' | 'error'> & { outcome: string | null }

/** Commands that users gave to signs in [from, to), oldest first. */
export const shiftCommands = (db: Database, { from, to }: { from: Date; to: Date }) =>
  db.query<ShiftCommandRow>(sql`
  select m.id, m.asked_at as at, json_build_object('id', m.user_id, 'username', coalesce(u.username, '')) as by,
         json_build_object('id', l.id, 'shortName', l.short_name) as location,
         json_build_object('id', s.id, 'number', s.number, 'roadNumber', s.road_number, 'chainage', s.chainage) as sign,
         m.kind, v.description as variant, p.plate_lpr as "plateLpr", coalesce(p.all_trucks, false) as "allTrucks", m.outcome
  from vms_command m
  join vms_sign s on s.id = m.sign_id
  join vms_group g on g.id = s.group_id
  join location l on l.id = g.location_id
  left join app_user u on u.id = m.user_id
  left join vms_variant v on v.group_id = g.id and v.variant = m.variant
  left join vms_plate p on p.id = m.plate_id
  where m.user_id is not null and m.asked_at >= ${from}::timestamptz and m.asked_at < ${to}::timestamptz
  order by m.asked_at, m.id`)
