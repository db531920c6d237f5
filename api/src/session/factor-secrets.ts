import type { Database } from '../core/database.ts'
import { deleteSetups, lockCodeHashes, lockSecrets, replaceCodeHash, replaceSecret } from '../users/public-api.ts'
import { decryptCodeHash, decryptSecret, encryptCodeHash, encryptSecret } from './factors.ts'

/**
 * Encrypts the secrets of all apps and the recovery codes with another key. Idempotent. `unreadable`: those that neither
 * key decrypts, which are unchanged.
 */
export async function rotateFactorSecrets(db: Database, from: Buffer, to: Buffer) {
  const done = { renewed: 0, unreadable: 0 }
  for (const { userId, secret } of await lockSecrets(db)) {
    if (decryptSecret(to, secret, userId) !== null) continue
    const plain = decryptSecret(from, secret, userId)
    if (plain) await replaceSecret(db, { userId, secret: encryptSecret(to, plain, userId) })
    done[plain ? 'renewed' : 'unreadable']++
  }
  for (const { id, userId, codeHash } of await lockCodeHashes(db)) {
    if (decryptCodeHash(to, codeHash, userId) !== null) continue
    const plain = decryptCodeHash(from, codeHash, userId)
    if (plain) await replaceCodeHash(db, { id, codeHash: encryptCodeHash(to, plain, userId) })
    done[plain ? 'renewed' : 'unreadable']++
  }
  await deleteSetups(db)
  return done
}
