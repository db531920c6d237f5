import type { SessionFactor } from '@rogatka/contract/options.ts'
import type { Database } from '../core/database.ts'
import { decrypt, encrypt } from '../core/secrets.ts'
import { acceptStep, findAuthenticator, unusedRecoveryCodes, useRecoveryCode } from '../users/public-api.ts'
import { hashRecoveryCode, newRecoveryCodes, readRecoveryCode } from './recovery-codes.ts'
import { matchingStep } from './totp.ts'

/** Associated data of the encryption: a secret cannot be decrypted in the row of another user. */
const secretContext = (userId: number): string => `authenticator of user ${userId}`
const codeContext = (userId: number): string => `recovery code of user ${userId}`

export const encryptSecret = (key: Buffer, secret: Buffer, userId: number): Buffer =>
  encrypt(key, secret.toString('hex'), secretContext(userId))

/** Null if the key is not that with which it was stored. */
export function decryptSecret(key: Buffer, bytes: Buffer, userId: number): Buffer | null {
  const text = decrypt(key, bytes, secretContext(userId))
  return text === null ? null : Buffer.from(text, 'hex')
}

export const encryptCodeHash = (key: Buffer, codeHash: string, userId: number): Buffer =>
  encrypt(key, codeHash, codeContext(userId))

export const decryptCodeHash = (key: Buffer, bytes: Buffer, userId: number): string | null =>
  decrypt(key, bytes, codeContext(userId))

/** New recovery codes, with what is stored of them. */
export function createRecoveryCodes(key: Buffer, userId: number): { recoveryCodes: string[]; codeHashes: Buffer[] } {
  const recoveryCodes = newRecoveryCodes()
  const codeHashes = recoveryCodes.map((code) => encryptCodeHash(key, hashRecoveryCode(code), userId))
  return { recoveryCodes, codeHashes }
}

type CodeResult =
  | { factor: SessionFactor; codesLeft?: number }
  /** `used`: right, but accepted before. `unreadable`: the key is missing or another one. */
  | 'used'
  | 'wrong'
  | 'unreadable'

/** Checks a code of the app or a recovery code, and uses it up; of concurrent checks one succeeds. */
export async function acceptCode(
  db: Database,
  key: Buffer | null,
  userId: number,
  text: string,
  now: Date,
): Promise<CodeResult> {
  const recoveryCode = readRecoveryCode(text)
  if (recoveryCode) return acceptRecoveryCode(db, key, userId, recoveryCode, now)
  const authenticator = await findAuthenticator(db, userId)
  if (!authenticator) return 'wrong'
  const secret = key && decryptSecret(key, authenticator.secret, userId)
  if (!secret) return 'unreadable'
  const step = matchingStep(secret, text.replace(/[\s-]/g, ''), now)
  if (step === null) return 'wrong'
  return (await acceptStep(db, userId, step, now)) ? { factor: 'authenticator' } : 'used'
}

async function acceptRecoveryCode(
  db: Database,
  key: Buffer | null,
  userId: number,
  code: string,
  now: Date,
): Promise<CodeResult> {
  const unused = await unusedRecoveryCodes(db, userId)
  const wanted = hashRecoveryCode(code)
  const hashes = unused.map(({ id, codeHash }) => ({ id, hash: key && decryptCodeHash(key, codeHash, userId) }))
  if (hashes.some(({ hash }) => hash === null)) return 'unreadable'
  const found = hashes.find(({ hash }) => hash === wanted)
  if (!found) return 'wrong'
  const isUsed = await useRecoveryCode(db, found.id, now)
  return isUsed ? { factor: 'recovery-code', codesLeft: unused.length - 1 } : 'used'
}
