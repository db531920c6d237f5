import { randomBytes } from 'node:crypto'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Pool } from '../core/database.ts'
import { userById } from '../users/public-api.ts'
import {
  findOrStorePassword,
  findServiceUser,
  findTokenAttempt,
  readTokenState,
  recordTokenAttempt,
  saveServiceUser,
  storeToken,
} from './account-queries.ts'
import type { Service } from './service.ts'
import { serviceOrganization } from './service-queries.ts'
import { tokenExpiry } from './token-expiry.ts'
import { TokenMissing, ZammadError } from './zammad.ts'

/** Delay before requesting a token again after a response without one: each attempt creates one. */
const TOKEN_RETRY_MS = DAY_MS

/** Creates an account with a token in the ticket service, unless the user has a token or shall have none. */
export async function createServiceAccount(db: Pool, service: Service, userId: number, now: Date): Promise<void> {
  const { zammad, key, config } = service
  const user = await userById(db, userId)
  if (!user?.ticket || !user.email || (await readTokenState(db, userId)).stored) return
  const { email, username } = user
  const password = await findOrStorePassword(db, key, { userId, email }, randomBytes(18).toString('base64url'))
  const name = `Rogatka ${username}`
  const attemptedAt = await findTokenAttempt(db, userId)
  if (attemptedAt && attemptedAt.getTime() + TOKEN_RETRY_MS > now.getTime()) throw new TokenMissing()
  const createToken = () =>
    zammad.addToken(email, password, name, tokenExpiry(now)).catch(async (error) => {
      if (error instanceof TokenMissing) await recordTokenAttempt(db, userId, now)
      throw error
    })
  const store = async (created: string) => {
    await storeToken(db, key, { userId, email, token: created }, now)
  }
  if ((await findServiceUser(db, userId)) !== null) return store(await createToken())
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
    // The address exists, from our own unanswered attempt if our password works.
    const created = await createToken().catch((reason) => {
      throw reason instanceof TokenMissing ? reason : error
    })
    return store(created)
  }
  await store(await createToken())
}
