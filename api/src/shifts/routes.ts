import * as endpoints from '@rogatka/contract/shifts.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { shiftRange } from '@rogatka/domain/inspections/shift.ts'
import { alarmsOfShift } from '../alarms/public-api.ts'
import { SNAPSHOT } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { inspectionsOfShift } from '../inspections/public-api.ts'
import { ticketsOfShift } from '../tickets/public-api.ts'
import { commandsOfShift } from '../vms/public-api.ts'
import { hitsOfShift } from '../wanted/public-api.ts'

/** Registers the route of the report of a shift, which reads all features in one snapshot. */
export function shiftsRoutes(api: Api): void {
  const { shiftStarts, retentionDays, organization } = api.config

  route(api, endpoints.report, ({ db, session, query, now, language }) => {
    const keptSince = new Date(now.getTime() - retentionDays * DAY_MS)
    const { at = now } = query
    const range = shiftRange(shiftStarts, at)
    if (at > now) throw new Refusal('value-too-large', 400, 'at')
    if (range.from < keptSince) throw new Refusal('value-too-small', 400, 'at')
    const { from, to } = range
    const asOf = to < now ? to : now
    const previous = shiftRange(shiftStarts, new Date(from.getTime() - 1)).from
    return db.transaction(
      async (db) => ({
        from,
        to,
        previous: previous < keptSince ? null : previous,
        next: to > now ? null : to,
        asOf,
        hits: await hitsOfShift(db, session, range, now),
        alarms: await alarmsOfShift(db, session, range, asOf),
        tickets: await ticketsOfShift(db, session, organization, range),
        commands: await commandsOfShift(db, session, range, language),
        inspections: await inspectionsOfShift(db, session, range, now),
      }),
      { mode: SNAPSHOT },
    )
  })
}
