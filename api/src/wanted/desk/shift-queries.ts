import type { Database } from '../../core/database.ts'
import type { PassageKey } from '../../core/passage.ts'
import { sql } from '../../core/statement.ts'
import { entryMatchesHit, ownerCondition } from '../queries.ts'
import { type Person, person } from './hit-queries.ts'

type Answer = { at: string; by: Person }

/** A wanted vehicle of a shift with the entries of one owner, or of all. */
export type ShiftHitRow = PassageKey & {
  shortName: string
  laneNumber: number
  plateLpr: string
  nationality: string | null
  entries: { id: number; plateLpr: string; description: string }[]
  /** The false mark of each entry; null: none. */
  falseMarks: ((Answer & { reason: number | null }) | null)[]
  takenAt: Date | null
  takenBy: Person | null
  closedAt: Date | null
  closedBy: Person | null
}

/** The vehicles on black lists that were measured in [from, to), newest first; of entries of a user, or of all users. */
export const shiftHits = (db: Database, userId: number | undefined, { from, to }: { from: Date; to: Date }) =>
  db.query<ShiftHitRow>(sql`
  select g.location_id as "locationId", g.created_at as "createdAt", g.vehicle_id as id, l.short_name as "shortName",
         g.lane_number as "laneNumber", g.plate_lpr as "plateLpr", g.nationality,
         g.entries, g.false_marks as "falseMarks", r.taken_at as "takenAt",
         ${person(sql`r.taken_by`, sql`t.username`)} as "takenBy", r.closed_at as "closedAt",
         ${person(sql`r.closed_by`, sql`c.username`)} as "closedBy"
  from (
    select h.location_id, h.created_at, h.vehicle_id, h.lane_number, h.plate_lpr, h.nationality,
           json_agg(json_build_object('id', w.id, 'plateLpr', w.plate, 'description', w.description)
                    order by w.created_at, w.id) as entries,
           json_agg(case when h.false_at is not null then json_build_object('at', h.false_at,
                      'by', json_build_object('id', h.false_by, 'username', coalesce(f.username, '')),
                      'reason', h.false_reason) end
                    order by w.created_at, w.id) as false_marks
    from location s
    join wanted_hit h on h.location_id = s.id and h.created_at >= ${from}::timestamptz and h.created_at < ${to}::timestamptz
    join wanted_plate w on w.id = h.wanted_id and w.type_of_list = 0
    left join app_user f on f.id = h.false_by
    where ${ownerCondition(userId)} and ${entryMatchesHit}
    group by 1, 2, 3, 4, 5, 6
  ) g
  join location l on l.id = g.location_id
  left join wanted_response r
    on r.location_id = g.location_id and r.created_at = g.created_at and r.vehicle_id = g.vehicle_id
  left join app_user t on t.id = r.taken_by
  left join app_user c on c.id = r.closed_by
  order by g.created_at desc, g.vehicle_id desc`)
