import { ADMINISTRATOR_ROLE } from '@rogatka/contract/users.ts'
import type { Sql } from '../core/database.ts'
import { hashPassword } from '../core/passwords.ts'
import { hasAnyUser, insertUser } from './queries.ts'

/** The name of the first administrator. */
export const ADMINISTRATOR = 'admin'

/**
 * At the first start makes the administrator `admin`; answers whether it did.
 * @throws when there is no user yet and no password is given
 */
export async function ensureAdministrator(sql: Sql, password: string | undefined, now: Date): Promise<boolean> {
  if (await hasAnyUser(sql)) return false
  if (!password)
    throw new Error('ADMIN_PASSWORD: the first start needs a password of the administrator (12 or more characters)')
  const name = { username: ADMINISTRATOR, firstName: 'Administrator', lastName: 'Rogatka', email: null }
  await insertUser(sql, { ...name, passwordHash: await hashPassword(password), roleId: ADMINISTRATOR_ROLE }, now)
  return true
}
