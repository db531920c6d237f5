import { hasRight } from '@rogatka/contract/access.ts'
import { canManage, manageError } from '@rogatka/domain/users/grants.ts'
import { canSeeEntries } from '@rogatka/domain/wanted/visibility.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import type { Session } from '../core/sessions.ts'
import { permissionsByUser } from '../roles/public-api.ts'

/** The owner whose entries a list shows: oneself, or with UserManagement the given user or all (undefined). */
export function allowedOwner(session: Session, userId: number | undefined): number | undefined {
  if (userId !== undefined && !canSeeEntries(session, userId)) throw new Refusal('forbidden', 403, 'userId')
  return hasRight(session.permissions, 'UserManagement') ? userId : session.userId
}

type WithOwner = { userId: number }

const othersPermissions = (db: Database, session: Session, items: readonly WithOwner[]) =>
  permissionsByUser(
    db,
    [...new Set(items.map(({ userId }) => userId))].filter((id) => id !== session.userId),
  )

/** Adds whether this session can change each entry or contact: its own, and those of accounts that it can manage. */
export async function withManageable<T extends WithOwner>(db: Database, session: Session, items: readonly T[]) {
  const permissions = await othersPermissions(db, session, items)
  const isManageable = ({ userId }: WithOwner) =>
    userId === session.userId || canManage(session.permissions, permissions.get(userId) ?? [])
  return items.map((item) => ({ ...item, manageable: isManageable(item) }))
}

/**
 * Refuses to change entries or contacts of an account with more permissions. Messages contain what their owner may see,
 * so whoever sets the address must be allowed to see it.
 */
export async function assertManageable(db: Database, session: Session, items: readonly WithOwner[]): Promise<void> {
  for (const permissions of (await othersPermissions(db, session, items)).values()) {
    const error = manageError(session.permissions, permissions)
    if (error) throw new Refusal(error, 403)
  }
}
