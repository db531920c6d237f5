import { hasAnyRight } from '@rogatka/contract/access.ts'
import { MAX_SHIFT_ROWS, type ShiftInspection, type ShiftReport } from '@rogatka/contract/shifts.ts'
import { isVisible } from '@rogatka/domain/inspections/states.ts'
import { maskPlate } from '@rogatka/domain/vehicle/anonymity.ts'
import { isAnonymised } from '../core/anonymity.ts'
import type { Database } from '../core/database.ts'
import type { Session } from '../core/sessions.ts'
import { type InspectionRow, usernames } from './queries.ts'
import { shiftInspections } from './shift-queries.ts'
import { actorOf } from './steps.ts'
import { numberOf, plateOf, statusOf, usersOf } from './view.ts'

/** The inspections with a step in a shift that a session may see; null without the right. */
export async function inspectionsOfShift(
  db: Database,
  session: Session,
  range: { from: Date; to: Date },
  now: Date,
): Promise<ShiftReport['inspections']> {
  if (!hasAnyRight(session.permissions, ['Inspections', 'InspectionReview'])) return null
  const rows = (await shiftInspections(db, range)).filter((row) => isVisible(statusOf(row), actorOf(session), now))
  const shown = rows.slice(0, MAX_SHIFT_ROWS)
  const names = await usernames(db, [...new Set(shown.flatMap(usersOf))])
  const count = (step: (row: InspectionRow) => Date | null) =>
    rows.map(step).filter((at) => at !== null && at >= range.from && at < range.to).length
  return {
    content: shown.map((row) => toInspection(session, row, names)),
    totalCount: rows.length,
    announced: count((row) => (row.wasAnnounced ? row.announcedAt : null)),
    takenOver: count((row) => row.takenOverAt),
    closed: count((row) => row.closedAt),
    withdrawn: count((row) => row.withdrawnAt),
    passedBy: count((row) => row.passedByAt),
  }
}

function toInspection(session: Session, row: InspectionRow, names: ReadonlyMap<number, string>): ShiftInspection {
  const step = (at: Date | null, id: number | null) =>
    at && id !== null ? { at, by: { id, username: names.get(id) ?? '' } } : null
  const { plateLpr, nationality } = plateOf(row)
  // As in lists of inspections, a plate that an officer entered is not shown at all.
  const masked = plateLpr !== null && row.passage !== null ? maskPlate(plateLpr) : null
  const isMasked = isAnonymised(session)
  return {
    id: row.id,
    number: numberOf(row),
    state: row.state,
    location: { id: row.locationId, shortName: row.shortName },
    plateLpr: isMasked ? masked : plateLpr,
    nationality: isMasked && row.passage === null ? null : nationality,
    announced: row.wasAnnounced ? step(row.announcedAt, row.announcedBy) : null,
    takenOver: step(row.takenOverAt, row.officerId),
    closed: step(row.closedAt, row.closedBy),
    withdrawn: step(row.withdrawnAt, row.withdrawnBy),
    passedBy: row.passedByAt && { at: row.passedByAt, by: step(row.passedByAt, row.passedByBy)?.by ?? null },
  }
}
