import type { Actor } from './audit.ts'
import type { Database } from './database.ts'
import { Refusal } from './refusal.ts'
import type { Session } from './sessions.ts'

/*
 * Rows that give others something to read: holders of tokens, and webhooks. Only callers who may read all of it may change
 * them, one change at a time.
 */

/** Who makes a change, with their rights at that time. */
export type Changer = Pick<Session, 'userId' | 'permissions'>

export type ById = Actor & { params: { id: number } }

type Kind<Row, Wire> = {
  noun: 'device' | 'system' | 'webhook'
  byId: (db: Database, id: number) => Promise<Row | undefined>
  /** Locks a row until the transaction ends. */
  lock: (db: Database, id: number) => Promise<Row | undefined>
  /** Refuses a row that gives more than the caller may read. */
  checkRights: (caller: Changer, row: Row) => void
  /** Runs a change in a transaction, with the present rights of the caller. */
  runChange: <T>(session: Session, work: (db: Database, caller: Changer) => Promise<T>) => Promise<T>
  /** Notifies all processes of a change; called in its transaction. */
  notifyChange: (db: Database, id: number) => Promise<unknown>
  toWire: (db: Database, row: Row, caller: Pick<Changer, 'permissions'>, now: Date) => Wire | Promise<Wire>
}

/** How rows of one kind are found, locked and changed. */
export function createGrantedRows<Row extends { version: number }, Wire>(kind: Kind<Row, Wire>) {
  const { noun, byId, lock, checkRights, runChange, notifyChange, toWire } = kind

  const requireRow = (row: Row | undefined): Row => {
    if (row) return row
    throw new Refusal(`${noun}-not-found`, 404)
  }

  return {
    /** @throws 404 */
    find: async (db: Database, id: number): Promise<Row> => requireRow(await byId(db, id)),

    /** Locks a row, whatever it gives. @throws 404 */
    lock: async (db: Database, id: number): Promise<Row> => requireRow(await lock(db, id)),

    /** Locks a row for a caller who may read all that it gives. @throws 404, 403 */
    lockManageable: async (db: Database, caller: Changer, id: number): Promise<Row> => {
      const row = requireRow(await lock(db, id))
      checkRights(caller, row)
      return row
    },

    /** Refuses a change of another version; undefined is any. */
    checkVersion: (row: Row, version: number | undefined): void => {
      if (version !== undefined && version !== row.version) throw new Refusal('changed-meanwhile', 409)
    },

    /** Changes a row in a transaction; returns it with the result. */
    changeOne: <T>(
      { session, params: { id }, now }: ById,
      apply: (db: Database, caller: Changer) => Promise<T>,
    ): Promise<{ changed: Wire; result: T }> =>
      runChange(session, async (db, caller) => {
        const result = await apply(db, caller)
        await notifyChange(db, id)
        return { changed: await toWire(db, requireRow(await byId(db, id)), caller, now), result }
      }),
  }
}
