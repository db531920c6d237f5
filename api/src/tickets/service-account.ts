import { randomBytes } from 'node:crypto'
import type { Pool } from '../core/database.ts'
import { userById } from '../users/public-api.ts'
import {
  passwordFor,
  recordTokenAttempt,
  saveServiceUser,
  serviceUserOf,
  storeToken,
  tokenAttemptOf,
  tokenOf,
} from './account-queries.ts'
import type { Service } from './service.ts'
import { serviceOrganization } from './service-queries.ts'
import { tokenExpiry } from './token-expiry.ts'
import { TokenMissing, ZammadError } from './zammad.ts'

/** An answer without a token is not asked for again before this: each attempt creates one. */
const TOKEN_RETRY_MS = 86_400_000

/** Gives a user an account with a token there; one who has a token, or shall have none, stays as they are. */
export async function createServiceAccount(db: Pool, service: Service, userId: number, now: Date): Promise<void> {
  const { zammad, key, config } = service
  const user = await userById(db, userId)
  if (!user?.ticket || !user.email || (await tokenOf(db, userId)).stored) return
  const { email, username } = user
  const password = await passwordFor(db, key, { userId, email }, randomBytes(18).toString('base64url'))
  const name = `Rogatka ${username}`
  const attemptedAt = await tokenAttemptOf(db, userId)
  if (attemptedAt && attemptedAt.getTime() + TOKEN_RETRY_MS > now.getTime()) throw new TokenMissing()
  const token = () =>
    zammad.addToken(email, password, name, tokenExpiry(now)).catch(async (error) => {
      if (error instanceof TokenMissing) await recordTokenAttempt(db, userId, now)
      throw error
    })
  const keep = async (made: string) => {
    await storeToken(db, key, { userId, email, token: made }, now)
  }
  if ((await serviceUserOf(db, userId)) !== null) return keep(await token())
  try {
    const organizationId = await serviceOrganization(db, config.organization)
    const person = {
      firstname: user.firstName ?? username,
      lastname: user.lastName ?? '-',
      email,
      password,
      organizationId,
    }
    await saveServiceUser(db, userId, await zammad.addUser(person))
  } catch (error) {
    if (!(error instanceof ZammadError) || error.status !== 422) throw error
    // The address is taken: by an attempt of ours that was not answered, if the password is ours.
    const made = await token().catch((reason) => {
      throw reason instanceof TokenMissing ? reason : error
    })
    return keep(made)
  }
  await keep(await token())
}
