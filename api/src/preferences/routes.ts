import * as endpoints from '@rogatka/contract/preferences.ts'
import { readSettings, updatePassword } from '@rogatka/contract/preferences.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { passwordExpired } from '@rogatka/domain/session/passwordAge.ts'
import { audit, type NewAuditEntry } from '../core/audit.ts'
import { checkNewPassword, hashPassword } from '../core/passwords.ts'
import { providerLabel } from '../core/providers.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { closeOtherSession, closeSessionsOf } from '../core/session-queries.ts'
import { ownSessions, verifyCurrentPassword, wrongCurrentPassword } from '../session/public-api.ts'
import {
  type Account,
  checkContact,
  deleteResetTokens,
  lockVerified,
  saveSettings,
  setPassword,
  storedContact,
  updateSelf,
  userById,
} from '../users/public-api.ts'

/** Registers the routes of a user's own data and password. */
export function preferencesRoutes(api: Api): void {
  const maxByAddress = api.config.addressLoginFailures

  route(api, endpoints.updateSelf, async ({ db, now, session, body: { password, ...values }, request, reply }) => {
    if (!(await userById(db, session.userId))?.provider) checkContact(values)
    const current = await verifyCurrentPassword(db, { session, request, reply, now, maxByAddress }, password)
    await db.transaction(async (db) => {
      if (!(await lockVerified(db, session.userId, current))) throw wrongCurrentPassword()
      const { firstName, lastName, email, phoneNumber } = (await userById(db, session.userId)) as Account
      const before = { firstName, lastName, email, phoneNumber }
      const after = { ...values, ...storedContact(values) }
      await updateSelf(db, session.userId, after)
      if (email?.toLowerCase() !== after.email?.toLowerCase()) await deleteResetTokens(db, session.userId)
      const auditEntry: NewAuditEntry = { action: 'account-changed', subject: session.username, before, after }
      await audit(db, { session, request, now }, auditEntry)
    })
  })

  route(api, endpoints.saveSettings, async ({ db, now, session, body, request }) => {
    await db.transaction(async (db) => {
      const { checkpointAdditionalTime } = (await userById(db, session.userId)) as Account
      await saveSettings(db, session.userId, body)
      const auditEntry: NewAuditEntry = {
        action: 'settings-changed',
        subject: session.username,
        before: { checkpointAdditionalTime },
      }
      await audit(db, { session, request, now }, { ...auditEntry, after: body })
    })
  })

  route(api, endpoints.ownSessions, async ({ db, session }) =>
    (await ownSessions(db, session.userId, session.tokenHash)).map((one) => ({
      ...one,
      provider: providerLabel(api.config.providers, one.provider),
    })),
  )

  route(api, endpoints.endOtherSessions, async ({ db, now, session, request }) => {
    await db.transaction(async (db) => {
      await closeSessionsOf(db, session.userId, session.tokenHash, now)
      await audit(db, { session, request, now }, { action: 'sessions-ended', subject: session.username })
    })
    api.sessions.clearCache(session.userId)
  })

  route(api, endpoints.endOwnSession, async ({ db, now, session, params, request }) => {
    await db.transaction(async (db) => {
      if (!(await closeOtherSession(db, session, params.id, now))) throw new Refusal('session-not-found', 404)
      await audit(db, { session, request, now }, { action: 'session-ended', subject: session.username })
    })
    api.sessions.clearCache(session.userId)
  })

  route(api, readSelf, async ({ db, now, session }) => {
    const account = await userById(db, session.userId)
    if (!account) throw new Refusal('unauthorized', 401)
    return {
      ...account,
      provider: providerLabel(api.config.providers, account.provider),
      linkedProvider: providerLabel(api.config.providers, account.linkedProvider),
      permissions: session.permissions,
      mustChangePassword: account.mustChangePassword && session.mustChangePassword,
      passwordExpired: session.mustChangePassword && passwordExpired(account.passwordUpdatedAt, now),
      mustSetUpFactor: session.mustSetUpFactor,
    }
  })

  route(api, readSettings, async ({ db, session }) => {
    const account = await userById(db, session.userId)
    return { checkpointAdditionalTime: account?.checkpointAdditionalTime ?? 0 }
  })

  route(api, updatePassword, async ({ db, now, session, body, request, reply }) => {
    const account = await userById(db, session.userId)
    if (account?.provider) throw new Refusal('account-of-provider', 422)
    const names = [session.username, account?.firstName, account?.lastName, account?.email]
    await checkNewPassword(api.config, body.newPassword, { roleId: session.roleId, names }, 'newPassword')
    if (body.newPassword === body.password) throw new Refusal('password-unchanged', 422, 'newPassword')
    const current = await verifyCurrentPassword(db, { session, request, reply, now, maxByAddress }, body.password)
    const newHash = await hashPassword(body.newPassword)
    await db.transaction(async (db) => {
      if (!(await lockVerified(db, session.userId, current))) throw wrongCurrentPassword()
      await setPassword(db, session.userId, newHash, now)
      await deleteResetTokens(db, session.userId)
      await closeSessionsOf(db, session.userId, session.tokenHash, now)
      await audit(db, { session, request, now }, { action: 'password-changed', subject: session.username })
    })
    api.sessions.clearCache(session.userId)
  })
}
