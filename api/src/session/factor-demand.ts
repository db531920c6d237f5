import { type FactorPolicy, isFactorRequired } from '@rogatka/domain/session/factorPolicy.ts'
import type { Database } from '../core/database.ts'
import type { Session } from '../core/sessions.ts'
import { roleById } from '../roles/public-api.ts'

/** Whether the user of a session needs a second factor, by the current state of their role. */
export async function isFactorDemanded(
  db: Database,
  policy: FactorPolicy,
  { roleId, permissions }: Session,
): Promise<boolean> {
  const role = roleId === null ? undefined : await roleById(db, roleId)
  return isFactorRequired(policy, { permissions, requiresFactor: role?.requiresFactor ?? false })
}
