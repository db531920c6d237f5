import * as endpoints from '@rogatka/contract/session-factors.ts'
import { type FactorPolicy, isFactorRequired } from '@rogatka/domain/session/factorPolicy.ts'
import { audit } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { closeSessionsOf, notifySessionChange, setSessionFactor } from '../core/session-queries.ts'
import type { Session } from '../core/sessions.ts'
import { requireStepUp } from '../core/step-up.ts'
import { roleById } from '../roles/public-api.ts'
import {
  activateSetup,
  authenticatorOf,
  countRecoveryCodes,
  deleteExpiredSetups,
  deleteFactors,
  hasFactor,
  insertSetup,
  lockVerified,
  replaceRecoveryCodes,
  setupOf,
} from '../users/public-api.ts'
import { createRecoveryCodes, decryptSecret, encryptSecret } from './factors.ts'
import { verifyCurrentPassword, wrongCurrentPassword } from './lockout.ts'
import { deleteExpiredPendingSignIns } from './queries.ts'
import { completeSignIn, pendingSince } from './sign-in.ts'
import { stepUp } from './step-up.ts'
import { matchingStep, newSecret, otpauthUri, toBase32 } from './totp.ts'

/** An app is confirmed within this time. */
const SETUP_MS = 3_600_000

const setupsSince = (now: Date): Date => new Date(now.getTime() - SETUP_MS)

/** Deletes sign-ins and setups that were never completed. */
export async function deleteExpiredFactorSteps(db: Database, now: Date): Promise<void> {
  await deleteExpiredPendingSignIns(db, pendingSince(now))
  await deleteExpiredSetups(db, setupsSince(now))
}

/** Whether the user of a session needs a second factor, by the current state of their role. */
async function isRequired(db: Database, policy: FactorPolicy, { roleId, permissions }: Session): Promise<boolean> {
  const role = roleId === null ? undefined : await roleById(db, roleId)
  return isFactorRequired(policy, { permissions, requiresFactor: role?.requiresFactor ?? false })
}

/** Registers the second step of the login, and the second factors of the caller. */
export function factorRoutes(api: Api): void {
  const { secretKey, secondFactor, addressLoginFailures: maxByAddress } = api.config
  const issuer = `Rogatka ${new URL(api.config.publicUrl).hostname}`

  route(api, endpoints.loginWithFactor, async ({ db, now, body, request, reply }) => ({
    token: await completeSignIn(db, body, { request, reply, now, maxByAddress, secretKey }),
  }))

  route(api, endpoints.stepUp, async ({ db, now, session, body, request, reply }) => {
    await stepUp(db, body, { session, request, reply, now, maxByAddress, secretKey })
  })

  route(api, endpoints.ownFactors, async ({ db, session }) => {
    const authenticator = await authenticatorOf(db, session.userId)
    return {
      required: await isRequired(db, secondFactor, session),
      available: secretKey !== null,
      authenticator: authenticator
        ? { createdAt: authenticator.createdAt, lastUsedAt: authenticator.lastUsedAt }
        : null,
      recoveryCodesLeft: await countRecoveryCodes(db, session.userId),
    }
  })

  route(api, endpoints.startAuthenticator, async ({ db, now, session: { userId, username } }) => {
    if (!secretKey) throw new Refusal('factors-cannot-be-kept', 422)
    const secret = newSecret()
    const { recoveryCodes, codeHashes } = createRecoveryCodes(secretKey, userId)
    await insertSetup(db, userId, { secret: encryptSecret(secretKey, secret, userId), codeHashes }, now)
    return { secret: toBase32(secret), uri: otpauthUri(secret, issuer, username), recoveryCodes }
  })

  route(api, endpoints.confirmAuthenticator, async ({ db, now, session, body, request, reply }) => {
    if (!secretKey) throw new Refusal('factors-cannot-be-kept', 422)
    const { userId, username } = session
    // The first one is set up with the password alone; an app that is replaced has to be at hand, or a recovery code.
    if (await hasFactor(db, userId)) await requireStepUp(db, session, now)
    const current = await verifyCurrentPassword(db, { session, request, reply, now, maxByAddress }, body.password)
    const setup = await setupOf(db, userId, setupsSince(now))
    if (!setup) throw new Refusal('factor-setup-expired', 422, 'code')
    const secret = decryptSecret(secretKey, setup.secret, userId)
    const step = secret && matchingStep(secret, body.code.replace(/[\s-]/g, ''), now)
    if (step === null) throw new Refusal('factor-code-not-matching', 422, 'code')
    await db.transaction(async (db) => {
      if (!(await lockVerified(db, userId, current))) throw wrongCurrentPassword()
      if (!(await activateSetup(db, userId, setup, step, now))) throw new Refusal('factor-setup-expired', 422, 'code')
      await setSessionFactor(db, session.tokenHash, 'authenticator', now)
      await closeSessionsOf(db, userId, session.tokenHash, now)
      await audit(db, { session, request, now }, { action: 'factor-added', subject: username })
    })
    api.sessions.clearCache(userId)
  })

  route(api, endpoints.renewRecoveryCodes, async ({ db, now, session, body, request, reply }) => {
    if (!secretKey) throw new Refusal('factors-cannot-be-kept', 422)
    const { userId, username } = session
    const current = await verifyCurrentPassword(db, { session, request, reply, now, maxByAddress }, body.password)
    const { recoveryCodes, codeHashes } = createRecoveryCodes(secretKey, userId)
    await db.transaction(async (db) => {
      if (!(await lockVerified(db, userId, current))) throw wrongCurrentPassword()
      if (!(await hasFactor(db, userId))) throw new Refusal('factor-not-found', 404)
      await replaceRecoveryCodes(db, userId, codeHashes)
      await audit(db, { session, request, now }, { action: 'recovery-codes-renewed', subject: username })
    })
    return { recoveryCodes }
  })

  route(api, endpoints.removeAuthenticator, async ({ db, now, session, body, request, reply }) => {
    const { userId, username } = session
    const current = await verifyCurrentPassword(db, { session, request, reply, now, maxByAddress }, body.password)
    await db.transaction(async (db) => {
      if (!(await lockVerified(db, userId, current))) throw wrongCurrentPassword()
      if (!(await hasFactor(db, userId))) throw new Refusal('factor-not-found', 404)
      if (await isRequired(db, secondFactor, session)) throw new Refusal('factor-required', 422)
      await deleteFactors(db, userId)
      await notifySessionChange(db, userId)
      await audit(db, { session, request, now }, { action: 'factor-removed', subject: username })
    })
    api.sessions.clearCache(userId)
  })
}
