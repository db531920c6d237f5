import { type Actor, audit, type NewAuditEntry } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { deletePendingSignInsOf } from '../core/pending-sign-ins.ts'
import { Refusal } from '../core/refusal.ts'
import type { Api } from '../core/route.ts'
import { notifySessionChange } from '../core/session-queries.ts'
import { deleteFactors, hasFactor, hasUnlockedPasskey, lockVerified } from '../users/public-api.ts'
import { findFactorDemand } from './factor-demand.ts'
import { type Attempt, verifyCurrentPassword, wrongCurrentPassword } from './lockout.ts'

/**
 * Removes a second factor of the caller after verifying the password; with the last one also the recovery codes, and sign-ins
 * that wait for a second step. `remove` returns the audit entry.
 * @throws 422 for a wrong password, for the last factor where one is required, and for the last passkey that is not locked
 * where a role requires one
 */
export async function removeFactor(
  { db, config, sessions }: Api,
  by: Actor & Omit<Attempt, 'maxByAddress'>,
  password: string | undefined,
  remove: (db: Database) => Promise<NewAuditEntry>,
): Promise<void> {
  const { userId } = by.session
  const current = await verifyCurrentPassword(db, { ...by, maxByAddress: config.addressLoginFailures }, password)
  await db.transaction(async (db) => {
    if (!(await lockVerified(db, userId, current))) throw wrongCurrentPassword()
    const entry = await remove(db)
    const demand = await findFactorDemand(db, config.secondFactor, by.session)
    if (demand.passkey && !(await hasUnlockedPasskey(db, userId))) throw new Refusal('factor-required', 422)
    if (!(await hasFactor(db, userId))) {
      if (demand.factor) throw new Refusal('factor-required', 422)
      await deleteFactors(db, userId)
      // Their second step can no longer be shown.
      await deletePendingSignInsOf(db, userId)
    }
    await notifySessionChange(db, userId)
    await audit(db, by, entry)
  })
  sessions.clearCache(userId)
}
