import { hasAnyRight } from '@rogatka/contract/access.ts'
import { MAX_SHIFT_ROWS, type ShiftHit, type ShiftReport } from '@rogatka/contract/shifts.ts'
import { HITS } from '@rogatka/contract/wanted-hits.ts'
import { isApproaching, untakenOutcome } from '@rogatka/domain/wanted/openHit.ts'
import { plateFor } from '../../core/anonymity.ts'
import type { Database } from '../../core/database.ts'
import { vehicleKey } from '../../core/passage.ts'
import type { Session } from '../../core/sessions.ts'
import { allowedOwner } from '../owner.ts'
import { vehicleTimes } from '../queries.ts'
import { maskFor } from '../search.ts'
import { reasonOf, userActionOf } from './hits.ts'
import { type ShiftHitRow, shiftHits } from './shift-queries.ts'

/** The wanted vehicles of a shift that a session may see, and what became of them; null without the right. */
export async function hitsOfShift(
  db: Database,
  session: Session,
  range: { from: Date; to: Date },
  now: Date,
): Promise<ShiftReport['hits']> {
  if (!hasAnyRight(session.permissions, HITS)) return null
  const rows = await shiftHits(db, allowedOwner(session, undefined), range)
  const times = await vehicleTimes(db, rows)
  const hits = rows.map((row) => toHit(session, row, times.get(vehicleKey(row)), now))
  const count = (of: ShiftHit['outcome']) => hits.filter(({ outcome }) => outcome === of).length
  return {
    content: hits.slice(0, MAX_SHIFT_ROWS),
    totalCount: hits.length,
    counts: {
      approaching: count('approaching'),
      untaken: count('untaken'),
      late: count('late'),
      taken: count('taken'),
      closed: count('closed'),
      false: count('false'),
    },
  }
}

type VehicleTimes = { checkpointTime: Date | null; receivedAt: Date }

function toHit(session: Session, row: ShiftHitRow, times: VehicleTimes | undefined, now: Date): ShiftHit {
  const { id, createdAt, locationId, shortName, laneNumber, nationality } = row
  const checkpointTime = times?.checkpointTime ?? null
  const falseMarks = row.falseMarks.filter((one) => one !== null)
  // A false hit for the session if all of these entries are marked.
  const [first] = falseMarks.length === row.entries.length ? falseMarks : []
  const taken = userActionOf(row.takenBy, row.takenAt)
  const byHand = userActionOf(row.closedBy, row.closedAt)
  const closed = byHand
    ? { ...byHand, reason: null }
    : first
      ? { at: new Date(first.at), by: first.by, reason: reasonOf(first.reason) }
      : null
  return {
    id,
    createdAt,
    location: { id: locationId, shortName },
    laneNumber,
    plateLpr: plateFor(session, row.plateLpr),
    nationality,
    checkpointTime,
    entries: row.entries.map((entry) => maskFor(session, entry)),
    outcome: closed ? (byHand ? 'closed' : 'false') : taken ? 'taken' : notTaken(createdAt, times, now),
    taken,
    closed,
  }
}

/** What became of a vehicle that nobody has taken; one that was received too late was never open, wherever it is. */
function notTaken(createdAt: Date, times: VehicleTimes | undefined, now: Date): ShiftHit['outcome'] {
  const outcome = untakenOutcome(createdAt, times?.receivedAt)
  return outcome === 'untaken' && times && isApproaching(times, now) ? 'approaching' : outcome
}
