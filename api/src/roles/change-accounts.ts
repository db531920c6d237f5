import { hasAnyRight, type Right } from '@rogatka/contract/access.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import type { Api } from '../core/route.ts'
import type { Session } from '../core/sessions.ts'
import { actorById, administratorLevel, lockAccounts } from './user-role-queries.ts'

/** The caller with their permissions at the time of the change. */
export type Caller = Pick<Session, 'userId' | 'permissions'>

/**
 * Runs a change of accounts or roles in a transaction, one at a time across all processes, and rolls it back if it
 * leaves no administrator. `caller` has the current permissions: those of the session may have been revoked while
 * waiting for the lock.
 * @param affected users whose cached sessions are evicted; undefined: all
 * @throws Refusal `forbidden` if the caller has lost every right of `anyOf`, `unauthorized` if they were disabled or
 * deleted
 */
export async function changeAccounts<T>(
  { db, sessions }: Pick<Api, 'db' | 'sessions'>,
  session: Session,
  anyOf: readonly Right[],
  change: (db: Database, caller: Caller) => Promise<T>,
  affected?: readonly number[],
): Promise<T> {
  const changed = await db.transaction(async (db) => {
    await lockAccounts(db)
    const before = await administratorLevel(db)
    const { permissions, active } = await actorById(db, session.userId)
    if (!hasAnyRight(permissions, anyOf)) throw new Refusal('forbidden', 403)
    const result = await change(db, { userId: session.userId, permissions })
    if ((await administratorLevel(db)) < before) throw new Refusal('last-administrator', 422)
    // Checked last: deleting the only administrator, oneself, should be refused with the previous error.
    if (!active) throw new Refusal('unauthorized', 401)
    return { result }
  })
  if (affected) for (const userId of affected) sessions.clearCache(userId)
  else sessions.clearCache()
  return changed.result
}
