import * as endpoints from '@rogatka/contract/preferences.ts'
import { audit } from '../core/audit.ts'
import { type Api, route } from '../core/route.ts'
import {
  closeSessionsOf,
  deleteResetTokens,
  ownSessions,
  verifyCurrentPassword,
  wrongCurrentPassword,
} from '../session/queries.ts'
import { type Account, lockVerified, normalisePhoneNumber, userById } from '../users/queries.ts'
import { saveSettings, updateSelf } from './queries.ts'

/** Opens what users change of themselves; the password has its own call among the users. */
export function preferencesRoutes(api: Api): void {
  route(api, endpoints.updateSelf, async ({ db, now, session, body: { password, ...values }, request }) => {
    const current = await verifyCurrentPassword(db, { session, request, now }, password)
    await db.transaction(async (db) => {
      if (!(await lockVerified(db, session.userId, current))) throw wrongCurrentPassword()
      const { firstName, lastName, email, phoneNumber } = (await userById(db, session.userId)) as Account
      const before = { firstName, lastName, email, phoneNumber }
      const after = { ...values, phoneNumber: normalisePhoneNumber(values.phoneNumber) }
      await updateSelf(db, session.userId, after)
      if (email?.toLowerCase() !== after.email.toLowerCase()) await deleteResetTokens(db, session.userId)
      const deed = { action: 'account-changed', subject: session.username, before, after }
      await audit(db, { session, request, now }, deed)
    })
  })

  route(api, endpoints.saveSettings, async ({ db, now, session, body, request }) => {
    await db.transaction(async (db) => {
      const { checkpointAdditionalTime } = (await userById(db, session.userId)) as Account
      await saveSettings(db, session.userId, body)
      const deed = { action: 'settings-changed', subject: session.username, before: { checkpointAdditionalTime } }
      await audit(db, { session, request, now }, { ...deed, after: body })
    })
  })

  route(api, endpoints.ownSessions, async ({ db, session }) => [
    ...(await ownSessions(db, session.userId, session.tokenHash)),
  ])

  route(api, endpoints.endOtherSessions, async ({ db, now, session, request }) => {
    await db.transaction(async (db) => {
      await closeSessionsOf(db, session.userId, session.tokenHash, now)
      await audit(db, { session, request, now }, { action: 'sessions-ended', subject: session.username })
    })
    api.sessions.clearCache()
  })
}
