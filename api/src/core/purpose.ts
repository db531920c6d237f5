import { type Purpose, purposes } from '@rogatka/contract/looks.ts'
import {
  MIN_PURPOSE_NOTE,
  PURPOSE_MINUTES,
  purposesWithReference,
  type SessionPurpose,
} from '@rogatka/contract/trail.ts'
import type { Config } from '../config.ts'
import { isAnonymised } from './anonymity.ts'
import type { Database, Pool } from './database.ts'
import { Refusal } from './refusal.ts'
import type { Session } from './sessions.ts'
import { sql } from './statement.ts'
import { isUser } from './station-scope.ts'
import { storable } from './text.ts'

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

/** Stores the purpose of a session. @throws 422 without the reference or the note that it needs */
export async function setPurpose(db: Database, { tokenHash }: Session, given: GivenPurpose, now: Date): Promise<void> {
  const { purpose } = given
  const reference = given.reference ? storable(given.reference) : null
  const note = given.note ? storable(given.note) : null
  if (reference === null && purposesWithReference.includes(purpose))
    throw new Refusal('reference-missing', 422, 'reference')
  if (purpose === 'other' && (note?.length ?? 0) < MIN_PURPOSE_NOTE)
    throw new Refusal('purpose-note-missing', 422, 'note')
  const until = new Date(now.getTime() + PURPOSE_MINUTES * 60_000)
  await db.execute(sql`
    insert into access_purpose (token_hash, purpose, reference, note, until)
    values (${tokenHash}, ${purposes.indexOf(purpose) + 1}, ${reference}, ${note}, ${until}::timestamptz)
    on conflict (token_hash) do update
    set purpose = excluded.purpose, reference = excluded.reference, note = excluded.note, until = excluded.until`)
}

/** Removes the purpose of a session. */
export const removePurpose = (db: Database, { tokenHash }: Session) =>
  db.execute(sql`delete from access_purpose where token_hash = ${tokenHash}`)

type Portal = { db: Pool; config: Pick<Config, 'purposes'>; now: () => Date }

/**
 * Refuses what needs a purpose before any row is read. Devices and systems have none: what they are for was said when
 * they were added. Anonymised users see no plates, whatever they ask.
 * @throws 422 where the portal asks for purposes and the session has given none
 */
export async function requirePurpose({ db, config, now }: Portal, session: Session): Promise<void> {
  if (config.purposes === 'off' || !isUser(session) || isAnonymised(session)) return
  if (!(await currentPurpose(db, session, now()))) throw new Refusal('purpose-missing', 422)
}
