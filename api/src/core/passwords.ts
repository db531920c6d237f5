import { hash, verify } from '@node-rs/argon2'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { ADMINISTRATOR_PASSWORD_LENGTH, ADMINISTRATOR_ROLE } from '@rogatka/contract/users.ts'
import { refuseFields } from './refusal.ts'

/** Argon2id with OWASP parameters (19 MiB, 2 passes, 1 lane), the library's defaults. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/** Verified for unknown users, so that the response takes equally long. */
const dummyHash = hash(crypto.randomUUID())

/** Whether the password matches; false for null, in the same time. */
export async function passwordMatches(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await dummyHash), password)
  return matches && passwordHash != null
}

/**
 * Checks the length of a new password by its user's first role; `minLength` is the portal's setting.
 * @throws 422 at the field `path`
 */
export function checkNewPassword(password: string, roleId: number | null, minLength: number, path = 'password'): void {
  const error = (code: ErrorCode) => refuseFields(422, [{ path, code, params: { length: minLength } }])
  if (roleId === ADMINISTRATOR_ROLE && password.length < ADMINISTRATOR_PASSWORD_LENGTH)
    throw error('password-for-admin-cannot-be-shorter-than-12')
  if (password.length < minLength) throw error('password-too-short')
}
