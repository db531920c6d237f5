import { type Purpose, purposes } from '@rogatka/contract/looks.ts'
import {
  MAX_PLATES_WITHOUT_PURPOSE,
  MIN_PURPOSE_NOTE,
  PURPOSE_MINUTES,
  purposesWithReference,
  type SessionPurpose,
} from '@rogatka/contract/trail.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { Config } from '../config.ts'
import { isAnonymised } from './anonymity.ts'
import type { Database, Pool } from './database.ts'
import { deleteInBatches } from './delete-batches.ts'
import { sessionOf } from './look.ts'
import { Refusal } from './refusal.ts'
import type { Session } from './sessions.ts'
import { sql } from './statement.ts'
import { isUser } from './station-scope.ts'
import { storable } from './text.ts'
import { trailKeptSince } from './trail-partitions.ts'

type PurposeRow = { purpose: number; reference: string | null; note: string | null; until: Date }

/** Why a session looks for plates; null: it has not said, or longer ago than it holds. */
export async function currentPurpose(
  db: Database,
  { tokenHash }: Session,
  now: Date,
): Promise<SessionPurpose['current']> {
  const [row] = await db.prepared<PurposeRow>(sql`
    select purpose, reference, note, until from access_purpose
    where token_hash = ${tokenHash} and until > ${now}::timestamptz`)
  const purpose = row && purposes[row.purpose - 1]
  return purpose ? { ...row, purpose } : null
}

type GivenPurpose = { purpose: Purpose; reference?: string | null | undefined; note?: string | null | undefined }

/**
 * Stores the purpose of a session, and that it answers the refusals before. @throws 422 without the reference or the note
 * that it needs
 */
export async function setPurpose(db: Database, session: Session, given: GivenPurpose, now: Date): Promise<void> {
  const { tokenHash } = session
  const { purpose } = given
  const reference = given.reference ? storable(given.reference) : null
  const note = given.note ? storable(given.note) : null
  if (reference === null && purposesWithReference.includes(purpose))
    throw new Refusal('reference-missing', 422, 'reference')
  if (purpose === 'other' && (note?.length ?? 0) < MIN_PURPOSE_NOTE)
    throw new Refusal('purpose-note-missing', 422, 'note')
  const until = new Date(now.getTime() + PURPOSE_MINUTES * MINUTE_MS)
  const since = new Date(now.getTime() - PURPOSE_MINUTES * MINUTE_MS)
  await db.execute(sql`
    update purpose_refusal set answered_at = ${now}::timestamptz
    where session = ${sessionOf(session)} and at >= date_trunc('minute', ${since}::timestamptz) and answered_at is null`)
  await db.execute(sql`
    insert into access_purpose (token_hash, purpose, reference, note, until)
    values (${tokenHash}, ${purposes.indexOf(purpose) + 1}, ${reference}, ${note}, ${until}::timestamptz)
    on conflict (token_hash) do update
    set purpose = excluded.purpose, reference = excluded.reference, note = excluded.note, until = excluded.until`)
}

/** Removes the purpose of a session. */
export const removePurpose = (db: Database, { tokenHash }: Session) =>
  db.execute(sql`delete from access_purpose where token_hash = ${tokenHash}`)

/**
 * What a call is: an action of the user; a poll, which goes on by itself when the purpose has ended; or what a page opens,
 * again by itself if a purpose was given before. Only what the user asked for is a refusal of theirs.
 */
type Occasion = 'action' | 'opening' | 'poll'

type Portal = { db: Pool; config: Pick<Config, 'purposes'>; now: () => Date }

/** Whether a session may see what needs a purpose now. */
export const isPurposeGiven = async ({ db, config, now }: Portal, session: Session): Promise<boolean> =>
  config.purposes === 'off' ||
  !isUser(session) ||
  isAnonymised(session) ||
  (await currentPurpose(db, session, now())) !== null

/**
 * Refuses what needs a purpose before any row is read. Devices and systems have none: what they are for was said when
 * they were added. Anonymised users see no plates, whatever they ask. A refusal is remembered: who gives no purpose after
 * it is named beside the access trail.
 * @throws 422 where the portal asks for purposes and the session has given none
 */
export async function requirePurpose(portal: Portal, session: Session, occasion: Occasion = 'action'): Promise<void> {
  const { db, now } = portal
  if (await isPurposeGiven(portal, session)) return
  const isUserRequest = occasion === 'opening' ? !(await hadPurpose(db, session)) : occasion === 'action'
  if (isUserRequest) await insertRefusal(db, session, now())
  throw new Refusal('purpose-missing', 422)
}

/**
 * Demands a purpose for a file with more than 100 plates.
 * @throws 422 as `requirePurpose`
 */
export async function requirePurposeForFile(portal: Portal, session: Session, plates: number): Promise<void> {
  if (plates > MAX_PLATES_WITHOUT_PURPOSE) await requirePurpose(portal, session)
}

/** Whether a session has given a purpose, which may have ended. */
const hadPurpose = async (db: Database, { tokenHash }: Session): Promise<boolean> =>
  (await db.query(sql`select from access_purpose where token_hash = ${tokenHash}`)).length > 0

/** One row for each session and minute: a page may ask again and again. */
const insertRefusal = (db: Database, session: Session, now: Date) =>
  db.execute(sql`
    insert into purpose_refusal (session, at, user_id, user_name)
    values (
      ${sessionOf(session)}, date_trunc('minute', ${now}::timestamptz), ${session.userId}, ${session.username}
    )
    on conflict (session, at) do update set answered_at = null where purpose_refusal.answered_at is not null`)

/** Deletes refusals that are older than the access trail. */
export async function deleteExpiredRefusals(db: Database, now: Date): Promise<void> {
  const keptSince = trailKeptSince(now)
  await deleteInBatches((limit) =>
    db.execute(sql`
      delete from purpose_refusal where (session, at) in (
        select session, at from purpose_refusal where at < ${keptSince}::timestamptz order by at limit ${limit})`),
  )
}
