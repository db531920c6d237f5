import { createHash } from 'node:crypto'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import type { Session } from '../core/sessions.ts'
import { createYielder, inChunks } from '../reports/public-api.ts'
import { deleteStatesBefore, deleteSurplusStates, findState, type StateKey, storeState } from './state-queries.ts'

/** How long the state of a client is kept that asks no more. Versions are times, so that they never begin again. */
const STATE_DAYS = 30
/** Selections of stations that are kept of a client, so that their number has a bound. */
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

/** The bytes of content, in parts after which other work may run. */
export const bytesOf = (content: Iterable<string>): AsyncGenerator<Buffer> =>
  inChunks(content, (part) => part, createYielder())

/** When the content of a document last changed, to the second: later than the time before at each change. */
export async function modifiedAt(db: Database, key: StateKey, content: Iterable<string>, now: Date): Promise<Date> {
  const hash = createHash('sha256')
  for await (const bytes of bytesOf(content)) hash.update(bytes)
  const digest = hash.digest()
  const known = await findState(db, key)
  const isRecent = known !== undefined && now.getTime() - known.seenAt.getTime() < DAY_MS
  if (isRecent && known.digest.equals(digest)) return known.modifiedAt
  const second = new Date(now.getTime() - (now.getTime() % 1000))
  const at = await storeState(db, key, { digest, second, now })
  if (known === undefined) await deleteSurplusStates(db, key, MAX_SELECTIONS)
  return at
}

/** The version of a table that was modified then. */
export const versionOf = (at: Date): string => at.toISOString()
