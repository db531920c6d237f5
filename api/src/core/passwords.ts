import { hash, verify } from '@node-rs/argon2'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { ADMINISTRATOR_PASSWORD_LENGTH, ADMINISTRATOR_ROLE } from '@rogatka/contract/users.ts'
import { refuseFields } from './refusal.ts'

/** Argon2id with the parameters that OWASP names (19 MiB, 2 passes, 1 lane): the library's defaults. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/** A hash of nothing that anybody knows: verified when there is no user, so that the answer takes as long. */
const nobody = hash(crypto.randomUUID())

/** Whether the password is the hashed one; with no hash it is never, but the check takes its time all the same. */
export async function passwordMatches(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await nobody), password)
  return matches && passwordHash != null
}

/**
 * Refuses a new password that is too short for its holder's first role; `least` is the portal's setting.
 * @throws beside the field
 */
export function checkNewPassword(password: string, roleId: number | null, least: number, path = 'password'): void {
  const fault = (code: ErrorCode) => refuseFields(422, [{ path, code, params: { length: least } }])
  if (roleId === ADMINISTRATOR_ROLE && password.length < ADMINISTRATOR_PASSWORD_LENGTH)
    throw fault('password-for-admin-cannot-be-shorter-than-12')
  if (password.length < least) throw fault('password-too-short')
}
