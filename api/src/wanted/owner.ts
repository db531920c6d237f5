import { hasRight } from '@rogatka/contract/access.ts'
import { canSeeEntries } from '@rogatka/domain/wanted/visibility.ts'
import { Refusal } from '../core/refusal.ts'
import type { Session } from '../core/sessions.ts'

/** Whose entries a list shows: one's own, with UserManagement everybody's or the chosen user's. */
export function ownerAsked(session: Session, userId: number | undefined): number | undefined {
  if (userId !== undefined && !canSeeEntries(session, userId)) throw new Refusal('forbidden', 403, 'userId')
  return hasRight(session.permissions, 'UserManagement') ? userId : session.userId
}
