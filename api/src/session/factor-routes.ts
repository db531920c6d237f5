import * as endpoints from '@rogatka/contract/session-factors.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { audit } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { deleteExpiredPendingSignIns } from '../core/pending-sign-ins.ts'
import { providerLabel } from '../core/providers.ts'
import { Refusal } from '../core/refusal.ts'
import { relyingParty } from '../core/relying-party.ts'
import { type Api, route } from '../core/route.ts'
import { closeSessionsOf, setSessionFactor } from '../core/session-queries.ts'
import { requireStepUp } from '../core/step-up.ts'
import {
  activateSetup,
  countRecoveryCodes,
  deleteAuthenticator,
  deleteExpiredSetups,
  findAuthenticator,
  findIdentity,
  findSetup,
  hasFactor,
  insertSetup,
  listPasskeys,
  lockVerified,
  replaceRecoveryCodes,
} from '../users/public-api.ts'
import { deleteExpiredChallenges } from './challenge-queries.ts'
import { findFactorDemand } from './factor-demand.ts'
import { removeFactor } from './factor-removal.ts'
import { createRecoveryCodes, decryptSecret, encryptSecret } from './factors.ts'
import { verifyCurrentPassword, wrongCurrentPassword } from './lockout.ts'
import { challengesSince, formatPasskey } from './passkeys.ts'
import type { ProviderClient } from './provider-client.ts'
import { deleteExpiredProviderRequests } from './provider-queries.ts'
import { canLinkAtSignIn, providerRequestsSince } from './provider-sign-in.ts'
import { completeSignIn, pendingSince } from './sign-in.ts'
import { stepUp } from './step-up.ts'
import { matchingStep, newSecret, otpauthUri, toBase32 } from './totp.ts'

/** An app is confirmed within this time. */
const SETUP_MS = HOUR_MS

const setupsSince = (now: Date): Date => new Date(now.getTime() - SETUP_MS)

/** Deletes sign-ins and setups that were never completed. */
export async function deleteExpiredFactorSteps(db: Database, now: Date): Promise<void> {
  await deleteExpiredPendingSignIns(db, pendingSince(now))
  await deleteExpiredSetups(db, setupsSince(now))
  await deleteExpiredChallenges(db, challengesSince(now))
  await deleteExpiredProviderRequests(db, providerRequestsSince(now))
}

/** Registers the second step of the login, and the second factors of the caller. */
export function factorRoutes(api: Api, providerClient: ProviderClient): void {
  const { secretKey, secondFactor, addressLoginFailures: maxByAddress } = api.config
  const party = relyingParty(api.config)
  const context = { db: api.db, client: providerClient, log: api.http.log, sessions: api.sessions }
  const issuer = `Rogatka ${new URL(api.config.publicUrl).hostname}`

  route(api, endpoints.loginWithFactor, ({ db, now, body, request, reply }) =>
    completeSignIn(db, body, {
      ...{ request, reply, now, maxByAddress, secretKey },
      canLink: canLinkAtSignIn(api.config),
    }),
  )

  route(api, endpoints.stepUp, async ({ db, now, session, body, request, reply }) => {
    await stepUp(db, body, {
      session,
      request,
      reply,
      now,
      maxByAddress,
      secretKey,
      party,
      context,
      config: api.config,
    })
  })

  route(api, endpoints.ownFactors, async ({ db, session }) => {
    const authenticator = await findAuthenticator(db, session.userId)
    const demand = await findFactorDemand(db, secondFactor, session)
    const identity = await findIdentity(db, session.userId)
    return {
      required: demand.factor,
      passkeyRequired: demand.passkey,
      providerRequired: demand.provider,
      identity: identity
        ? {
            provider: providerLabel(api.config.providers, identity.provider) ?? identity.provider,
            name: identity.name,
            linkedAt: identity.linkedAt,
            lastUsedAt: identity.lastUsedAt,
          }
        : null,
      available: secretKey !== null,
      authenticator: authenticator
        ? { createdAt: authenticator.createdAt, lastUsedAt: authenticator.lastUsedAt }
        : null,
      passkeysAvailable: party !== null,
      passkeys: (await listPasskeys(db, session.userId)).map(formatPasskey),
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
    const setup = await findSetup(db, userId, setupsSince(now))
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

  route(api, endpoints.removeAuthenticator, ({ now, session, body, request, reply }) =>
    removeFactor(api, { session, request, reply, now }, body.password, async (db) => {
      if (!(await deleteAuthenticator(db, session.userId))) throw new Refusal('factor-not-found', 404)
      return { action: 'factor-removed', subject: session.username }
    }),
  )
}
