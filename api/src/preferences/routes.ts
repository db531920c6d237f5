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
import { type Account, lockVerified, toPhoneNumber, userById } from '../users/queries.ts'
import { saveSettings, updateSelf } from './queries.ts'

/** Opens what users change of themselves; the password has its own call among the users. */
export function preferencesRoutes(api: Api): void {
  route(api, endpoints.updateSelf, async ({ sql, now, session, body: { password, ...values }, request }) => {
    const current = await verifyCurrentPassword(sql, { session, request, now }, password)
    await sql.begin(async (sql) => {
      if (!(await lockVerified(sql, session.userId, current))) throw wrongCurrentPassword()
      const { firstName, lastName, email, phoneNumber } = (await userById(sql, session.userId)) as Account
      const before = { firstName, lastName, email, phoneNumber }
      const after = { ...values, phoneNumber: toPhoneNumber(values.phoneNumber) }
      await updateSelf(sql, session.userId, after)
      if (email?.toLowerCase() !== after.email.toLowerCase()) await deleteResetTokens(sql, session.userId)
      const deed = { action: 'account-changed', subject: session.username, before, after }
      await audit(sql, { session, request, now }, deed)
    })
  })

  route(api, endpoints.saveSettings, async ({ sql, now, session, body, request }) => {
    await sql.begin(async (sql) => {
      const { checkpointAdditionalTime } = (await userById(sql, session.userId)) as Account
      await saveSettings(sql, session.userId, body)
      const deed = { action: 'settings-changed', subject: session.username, before: { checkpointAdditionalTime } }
      await audit(sql, { session, request, now }, { ...deed, after: body })
    })
  })

  route(api, endpoints.ownSessions, async ({ sql, session }) => [
    ...(await ownSessions(sql, session.userId, session.tokenHash)),
  ])

  route(api, endpoints.endOtherSessions, async ({ sql, now, session, request }) => {
    await sql.begin(async (sql) => {
      await closeSessionsOf(sql, session.userId, session.tokenHash, now)
      await audit(sql, { session, request, now }, { action: 'sessions-ended', subject: session.username })
    })
    api.sessions.forget()
  })
}
