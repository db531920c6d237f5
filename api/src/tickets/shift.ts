import { hasRight } from '@rogatka/contract/access.ts'
import { MAX_SHIFT_ROWS, type ShiftReport } from '@rogatka/contract/shifts.ts'
import type { Database } from '../core/database.ts'
import type { Session } from '../core/sessions.ts'
import { shiftTickets } from './shift-queries.ts'

/** The tickets that were reported or closed in a shift; null without the right. */
export async function ticketsOfShift(
  db: Database,
  session: Pick<Session, 'permissions'>,
  organization: string | null,
  range: { from: Date; to: Date },
): Promise<ShiftReport['tickets']> {
  if (!hasRight(session.permissions, 'Tickets')) return null
  const tickets = await shiftTickets(db, organization, range)
  const isIn = (at: Date | null) => at !== null && at >= range.from && at < range.to
  return {
    content: tickets.slice(0, MAX_SHIFT_ROWS),
    totalCount: tickets.length,
    opened: tickets.filter(({ createdAt }) => isIn(createdAt)).length,
    closed: tickets.filter(({ closedAt }) => isIn(closedAt)).length,
  }
}
