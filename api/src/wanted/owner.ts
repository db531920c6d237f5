import { hasRight } from '@rogatka/contract/access.ts'
import { canManage, manageError } from '@rogatka/domain/users/grants.ts'
import { canSeeEntries } from '@rogatka/domain/wanted/visibility.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import type { Session } from '../core/sessions.ts'
import { permissionsByUser } from '../roles/public-api.ts'

/** Whose entries a list shows: one's own, with UserManagement everybody's or the chosen user's. */
export function allowedOwner(session: Session, userId: number | undefined): number | undefined {
  if (userId !== undefined && !canSeeEntries(session, userId)) throw new Refusal('forbidden', 403, 'userId')
  return hasRight(session.permissions, 'UserManagement') ? userId : session.userId
}

type Owned = { userId: number }

const othersPermissions = (db: Database, session: Session, owned: readonly Owned[]) =>
  permissionsByUser(
    db,
    [...new Set(owned.map(({ userId }) => userId))].filter((id) => id !== session.userId),
  )

/** Adds to entries or contacts whether this session can change them: its own, and those of accounts that it can manage. */
export async function withManageable<O extends Owned>(db: Database, session: Session, owned: readonly O[]) {
  const permissions = await othersPermissions(db, session, owned)
  const isManageable = ({ userId }: Owned) =>
    userId === session.userId || canManage(session.permissions, permissions.get(userId) ?? [])
  return owned.map((one) => ({ ...one, manageable: isManageable(one) }))
}

/**
 * Refuses to change entries or contacts of an account that has more rights than the session. A message says as much as its
 * owner may know, so whoever sets its address must be allowed to know it too.
 */
export async function assertManageable(db: Database, session: Session, owned: readonly Owned[]): Promise<void> {
  for (const permissions of (await othersPermissions(db, session, owned)).values()) {
    const error = manageError(session.permissions, permissions)
    if (error) throw new Refusal(error, 403)
  }
}
