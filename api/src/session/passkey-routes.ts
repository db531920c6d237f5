import * as endpoints from '@rogatka/contract/session-passkeys.ts'
import { audit } from '../core/audit.ts'
import { Refusal } from '../core/refusal.ts'
import { relyingParty } from '../core/relying-party.ts'
import { type Api, route } from '../core/route.ts'
import { closeSessionsOf, setSessionFactor } from '../core/session-queries.ts'
import { requireStepUp } from '../core/step-up.ts'
import {
  countRecoveryCodes,
  deletePasskey,
  hasFactor,
  insertPasskey,
  listPasskeys,
  recordSignIn,
  renamePasskey,
  replaceRecoveryCodes,
} from '../users/public-api.ts'
import { removeFactor } from './factor-removal.ts'
import { createRecoveryCodes } from './factors.ts'
import { verifyCurrentPassword } from './lockout.ts'
import { creationOptions, requestOptions, requireRelyingParty, verifyNewPasskey, verifyPasskey } from './passkeys.ts'
import { canLinkAtSignIn } from './provider-sign-in.ts'
import { completeWithPasskey, openOrAwaitLink } from './sign-in.ts'

const refused = () => new Refusal('passkey-refused', 401)

/** Registers the sign-in with passkeys, and the passkeys of the caller. */
export function passkeyRoutes(api: Api): void {
  const { secretKey, addressLoginFailures: maxByAddress } = api.config
  const party = relyingParty(api.config)

  route(api, endpoints.startPasskeyLogin, ({ db, now }) =>
    requestOptions(db, requireRelyingParty(party), { purpose: 'sign-in', tokenHash: null, keys: [] }, now),
  )

  route(api, endpoints.loginWithPasskey, async ({ db, now, body: { credential, pending }, request }) => {
    const assertion = { credential, purpose: 'sign-in', tokenHash: null } as const
    const found = await verifyPasskey(db, requireRelyingParty(party), assertion, { ip: request.ip, now })
    if (!found) throw refused()
    const { userId, passwordHash, isOfProvider } = found
    const by = { request, now, canLink: canLinkAtSignIn(api.config) }
    if (pending !== undefined) return completeWithPasskey(db, pending, found, by)
    // The provider is asked first: it may have closed the account, or changed its role.
    if (isOfProvider) throw refused()
    return db.transaction(async (db) => {
      if (!(await recordSignIn(db, userId, passwordHash, now))) throw refused()
      return openOrAwaitLink(db, found, { factor: 'passkey' }, by)
    })
  })

  route(api, endpoints.startPasskeyStepUp, async ({ db, now, session: { userId, tokenHash } }) => {
    const keys = (await listPasskeys(db, userId)).filter(({ lockedAt }) => lockedAt === null)
    if (keys.length === 0) throw new Refusal('passkey-not-found', 404)
    return requestOptions(db, requireRelyingParty(party), { purpose: 'step-up', tokenHash, keys }, now)
  })

  route(api, endpoints.startPasskey, async ({ db, now, session, body, request, reply }) => {
    const known = requireRelyingParty(party)
    const { userId, username, tokenHash } = session
    if (await hasFactor(db, userId)) await requireStepUp(db, session, now)
    await verifyCurrentPassword(db, { session, request, reply, now, maxByAddress }, body.password)
    return creationOptions(db, known, { userId, username, tokenHash, keys: await listPasskeys(db, userId) }, now)
  })

  route(api, endpoints.addPasskey, async ({ db, now, session, body: { name, credential }, request }) => {
    const known = requireRelyingParty(party)
    const { userId, username, tokenHash } = session
    const key = await verifyNewPasskey(db, known, { credential, tokenHash }, now)
    if (!key || !secretKey) throw new Refusal('passkey-not-added', 422)
    const recoveryCodes = await db.transaction(async (db) => {
      if (!(await insertPasskey(db, { ...key, userId, name }, now))) throw new Refusal('passkey-not-added', 422)
      await setSessionFactor(db, tokenHash, 'passkey', now)
      await closeSessionsOf(db, userId, tokenHash, now)
      await audit(db, { session, request, now }, { action: 'passkey-added', subject: username, after: { name } })
      if ((await countRecoveryCodes(db, userId)) > 0) return null
      const { recoveryCodes, codeHashes } = createRecoveryCodes(secretKey, userId)
      await replaceRecoveryCodes(db, userId, codeHashes)
      return recoveryCodes
    })
    api.sessions.clearCache(userId)
    return { recoveryCodes }
  })

  route(api, endpoints.renamePasskey, async ({ db, now, session, params: { id }, body: { name }, request }) => {
    await db.transaction(async (db) => {
      const before = await renamePasskey(db, session.userId, id, name)
      if (before === undefined) throw new Refusal('passkey-not-found', 404)
      await audit(
        db,
        { session, request, now },
        { action: 'passkey-changed', subject: session.username, before: { name: before }, after: { name } },
      )
    })
  })

  route(api, endpoints.removePasskey, ({ now, session, params: { id }, body, request, reply }) =>
    removeFactor(api, { session, request, reply, now }, body.password, async (db) => {
      const name = await deletePasskey(db, session.userId, id)
      if (name === undefined) throw new Refusal('passkey-not-found', 404)
      return { action: 'passkey-removed', subject: session.username, before: { name } }
    }),
  )
}
