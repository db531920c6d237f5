import { STEP_UP_MINUTES, type StepUp } from '@rogatka/contract/endpoint.ts'
import { MAX_PLATES_WITHOUT_PURPOSE } from '@rogatka/contract/trail.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { isAnonymised } from './anonymity.ts'
import type { Database } from './database.ts'
import { Refusal } from './refusal.ts'
import { readVerifiedAt } from './session-queries.ts'
import type { Session } from './sessions.ts'

const RECENT_MS = STEP_UP_MINUTES * MINUTE_MS

/** Also somewhat in the future, as the clocks of two processes may differ; not for longer, if a clock was set back. */
const isVerified = (verifiedAt: Date | null, now: Date, within: StepUp): boolean =>
  verifiedAt !== null && (within === 'session' || Math.abs(now.getTime() - verifiedAt.getTime()) <= RECENT_MS)

/**
 * Demands that the user of a session was verified: recently, or in this session at all. Devices and systems pass: nobody
 * could be asked. Reads the database only before it refuses, as another process may have verified the session.
 * @throws 403 `step-up-required`
 */
export async function requireStepUp(
  db: Database,
  session: Session,
  now: Date,
  within: StepUp = 'recent',
): Promise<void> {
  if (session.device || session.system || isVerified(session.verifiedAt, now, within)) return
  session.verifiedAt = await readVerifiedAt(db, session.tokenHash)
  if (!isVerified(session.verifiedAt, now, within)) throw new Refusal('step-up-required', 403)
}

/**
 * Demands a recent verification for a file with more than 100 plates, unless they are masked.
 * @throws 403 `step-up-required`
 */
export async function requireStepUpForFile(db: Database, session: Session, now: Date, plates: number): Promise<void> {
  if (plates > MAX_PLATES_WITHOUT_PURPOSE && !isAnonymised(session)) await requireStepUp(db, session, now)
}
