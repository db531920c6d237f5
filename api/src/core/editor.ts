import { type Actor, audit, auditAsSystem, type NewAuditEntry } from './audit.ts'
import type { Database } from './database.ts'

/** Who changes something, and when: a user by the API, or a command. */
export type Editor = {
  now: Date
  /** Null: a command. */
  username: string | null
  /** Appends an audit entry in the transaction of the change. */
  audit: (db: Database, entry: NewAuditEntry) => Promise<unknown>
}

export const editorOf = (actor: Actor): Editor => ({
  now: actor.now,
  username: actor.session.username,
  audit: (db, entry) => audit(db, actor, entry),
})

export const commandEditor = (now: Date): Editor => ({
  now,
  username: null,
  audit: (db, entry) => auditAsSystem(db, now, entry),
})
