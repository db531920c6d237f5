import { randomBytes } from 'node:crypto'
import type { PasskeyKind } from '@rogatka/contract/options.ts'
import {
  CHALLENGE_MINUTES,
  type PasskeyAssertion,
  type PasskeyAttestation,
} from '@rogatka/contract/session-passkeys.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { auditWithoutSession } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import type { RelyingParty } from '../core/relying-party.ts'
import { acceptCounter, findCredentials, lockPasskey, type Passkey, passkeyByCredential } from '../users/public-api.ts'
import { type ChallengePurpose, consumeChallenge, insertChallenge } from './challenge-queries.ts'

const CHALLENGE_MS = CHALLENGE_MINUTES * MINUTE_MS
const CHALLENGE_BYTES = 32

/** ES256, EdDSA and RS256: what authenticators have. */
const ALGORITHMS = [-7, -8, -257]

/** Challenges from before this time have expired. */
export const challengesSince = (now: Date): Date => new Date(now.getTime() - CHALLENGE_MS)

/** @throws 422 if the portal has no passkeys */
export function requireRelyingParty(party: RelyingParty | null): RelyingParty {
  if (!party) throw new Refusal('passkeys-unavailable', 422)
  return party
}

/** Number of the account, by which an authenticator tells its keys of this portal apart. */
const userHandle = (userId: number): string => Buffer.from(String(userId)).toString('base64url')

/** Where a key is, as far as its authenticator says. */
const kindOf = ({ backedUp, transports }: Passkey): PasskeyKind =>
  backedUp
    ? 'synced'
    : transports.some((transport) => transport === 'usb' || transport === 'nfc')
      ? 'security-key'
      : 'device'

/** A passkey as its owner sees it. */
export function formatPasskey(key: Passkey) {
  const { id, name, createdAt, lastUsedAt, lockedAt } = key
  return { id, name, kind: kindOf(key), createdAt, lastUsedAt, lockedAt }
}

const descriptors = (keys: readonly Passkey[]) =>
  keys.map(({ credentialId, transports }) => ({
    type: 'public-key' as const,
    id: credentialId.toString('base64url'),
    transports,
  }))

async function newChallenge(
  db: Database,
  purpose: ChallengePurpose,
  tokenHash: Buffer | null,
  now: Date,
): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES)
  await insertChallenge(db, { challenge, purpose, tokenHash }, now)
  return challenge.toString('base64url')
}

/** What a passkey has to sign; `keys`: only these, none: any of the portal. */
export async function requestOptions(
  db: Database,
  party: RelyingParty,
  { purpose, tokenHash, keys }: { purpose: ChallengePurpose; tokenHash: Buffer | null; keys: readonly Passkey[] },
  now: Date,
) {
  return {
    challenge: await newChallenge(db, purpose, tokenHash, now),
    rpId: party.id,
    timeout: CHALLENGE_MS,
    userVerification: 'required' as const,
    allowCredentials: descriptors(keys),
  }
}

type Owner = { userId: number; username: string; tokenHash: Buffer; keys: readonly Passkey[] }

/** What a new passkey has to sign. It is discoverable, verifies its user, and does not say who made it. */
export async function creationOptions(db: Database, party: RelyingParty, owner: Owner, now: Date) {
  const { userId, username, tokenHash, keys } = owner
  return {
    challenge: await newChallenge(db, 'set-up', tokenHash, now),
    rp: { id: party.id, name: `Rogatka ${party.id}` },
    user: { id: userHandle(userId), name: username, displayName: username },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: CHALLENGE_MS,
    excludeCredentials: descriptors(keys),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
  }
}

/** The check of a challenge by the library, which consumes it. */
const challengeCheck =
  (db: Database, purpose: ChallengePurpose, tokenHash: Buffer | null, now: Date) => (challenge: string) =>
    consumeChallenge(db, { challenge: Buffer.from(challenge, 'base64url'), purpose, tokenHash }, challengesSince(now))

/** What is stored of a new passkey; null if its attestation does not answer the challenge of this session. */
export async function verifyNewPasskey(
  db: Pool,
  party: RelyingParty,
  { credential, tokenHash }: { credential: PasskeyAttestation; tokenHash: Buffer },
  now: Date,
) {
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...credential,
      response: { ...credential.response, transports: [] },
      clientExtensionResults: {},
    },
    expectedChallenge: challengeCheck(db, 'set-up', tokenHash, now),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ verified: false, registrationInfo: undefined }))
  if (!verified || !registrationInfo) return null
  const { id, publicKey, counter } = registrationInfo.credential
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    counter,
    transports: credential.response.transports ?? [],
    backedUp: registrationInfo.credentialBackedUp,
  }
}

type Assertion = {
  credential: PasskeyAssertion
  purpose: ChallengePurpose
  tokenHash: Buffer | null
  /** Whose key it has to be; absent: anybody's. */
  userId?: number
}

/**
 * The account whose passkey answered a challenge; undefined if it is no valid answer of an enabled account. A counter that
 * did not grow locks the key: there is a copy of it.
 * @throws 403 for a locked key
 */
export async function verifyPasskey(
  db: Pool,
  party: RelyingParty,
  { credential, purpose, tokenHash, userId }: Assertion,
  { ip, now }: { ip: string; now: Date },
) {
  const key = await passkeyByCredential(db, Buffer.from(credential.id, 'base64url'))
  const { userHandle: handle, ...response } = credential.response
  const isOwn = key && (userId ?? key.userId) === key.userId && (!handle || handle === userHandle(key.userId))
  const account = isOwn && (await findCredentials(db, key.userId))
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...credential,
      response: { ...response, ...(handle && { userHandle: handle }) },
      clientExtensionResults: {},
    },
    expectedChallenge: challengeCheck(db, purpose, tokenHash, now),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    // The counter is compared by the database, of concurrent sign-ins, too.
    credential: { id: credential.id, publicKey: new Uint8Array(key?.publicKey ?? []), counter: 0 },
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!key || !account || !verified || !authenticationInfo) return
  if (!(await acceptCounter(db, key.id, authenticationInfo.newCounter, now))) {
    await db.transaction(async (db) => {
      if (!(await lockPasskey(db, key.id, now))) return
      await auditWithoutSession(
        db,
        { userId: key.userId, ip, now },
        { action: 'passkey-locked', subject: account.username, after: { name: key.name } },
      )
    })
    throw new Refusal('passkey-locked', 403)
  }
  return { userId: key.userId, ...account }
}
