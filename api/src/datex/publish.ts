import { createHash } from 'node:crypto'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import type { Session } from '../core/sessions.ts'
import { createYielder, inChunks } from '../reports/public-api.ts'
import { deleteStatesBefore, deleteSurplusStates, findState, type StateKey, storeState } from './state-queries.ts'

/** How long the state of a client that no longer polls is kept. Versions are times, so that they never start again. */
const STATE_DAYS = 30
/** Maximum number of selections of stations that are stored of a client. */
const MAX_SELECTIONS = 100

export const deleteOldStates = (db: Database, now: Date) =>
  deleteStatesBefore(db, new Date(now.getTime() - STATE_DAYS * DAY_MS))

type Client = Pick<Session, 'system'>

/** Identifies a document of a client. `selection`: what selects another document for the same client. */
export const stateKey = ({ system }: Client, publication: string, selection: unknown = null): StateKey => ({
  publication,
  holder: system?.id ?? 0,
  selection: createHash('sha256').update(JSON.stringify(selection)).digest(),
})

/** The bytes of content in chunks, between which it yields to the event loop. */
export const bytesOf = (content: Iterable<string>): AsyncGenerator<Buffer> =>
  inChunks(content, (part) => part, createYielder())

/** When the content of a document last changed, in whole seconds; each change has a later time than the one before. */
export async function modifiedAt(db: Database, key: StateKey, content: Iterable<string>, now: Date): Promise<Date> {
  const hash = createHash('sha256')
  for await (const bytes of bytesOf(content)) hash.update(bytes)
  const digest = hash.digest()
  const stored = await findState(db, key)
  const isRecent = stored !== undefined && now.getTime() - stored.seenAt.getTime() < DAY_MS
  if (isRecent && stored.digest.equals(digest)) return stored.modifiedAt
  const second = new Date(now.getTime() - (now.getTime() % 1000))
  const at = await storeState(db, key, { digest, second, now })
  if (stored === undefined) await deleteSurplusStates(db, key, MAX_SELECTIONS)
  return at
}

/** The version of a table that was modified then. */
export const versionOf = (at: Date): string => at.toISOString()
