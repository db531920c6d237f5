import { MAX_SHIFT_ROWS, type ShiftAlarms } from '@rogatka/contract/shifts.ts'
import { compareAlarms } from '@rogatka/domain/alarms/state.ts'
import { isAnonymised } from '../core/anonymity.ts'
import type { Database } from '../core/database.ts'
import type { Session } from '../core/sessions.ts'
import { alarmsOpenAt } from './queries.ts'
import { countAcknowledged, raisedInShift, shelvedInShift } from './shift-queries.ts'
import { alarmView, visibleKinds } from './view.ts'

/** The alarms of a shift that a session may see. `asOf`: its end, or now. Null without the right. */
export async function alarmsOfShift(
  db: Database,
  session: Session,
  range: { from: Date; to: Date },
  asOf: Date,
): Promise<ShiftAlarms | null> {
  const kinds = visibleKinds(session)
  if (kinds.length === 0) return null
  const raised = await raisedInShift(db, kinds, range)
  const countOf = (priority: 'high' | 'medium' | 'low') => raised.find((row) => row.priority === priority)?.raised ?? 0
  const acknowledged = await countAcknowledged(db, kinds, range)
  const shelved = await shelvedInShift(db, kinds, range)
  const isBefore = (at: Date | null) => (at !== null && at < asOf ? at : null)
  const open = (await alarmsOpenAt(db, kinds, asOf))
    // In the state of then; shelving is left out, as only the last one is stored.
    .map((row) => ({
      ...row,
      clearedAt: isBefore(row.clearedAt),
      acknowledgedAt: isBefore(row.acknowledgedAt),
      isMissed: isBefore(row.clearedAt) !== null && row.isMissed,
      shelvedUntil: null,
    }))
    .map((row) => alarmView(row, session, false, asOf))
    .toSorted(compareAlarms)
  return {
    raised: { high: countOf('high'), medium: countOf('medium'), low: countOf('low') },
    missed: raised.reduce((sum, { missed }) => sum + missed, 0),
    acknowledged,
    shelved: shelved
      .slice(0, MAX_SHIFT_ROWS)
      .map((one) => ({ ...one, reason: isAnonymised(session) ? null : one.reason })),
    shelvedCount: shelved.length,
    open: open.slice(0, MAX_SHIFT_ROWS),
    openCount: open.length,
  }
}
