import { hash, verify } from '@node-rs/argon2'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { ADMINISTRATOR_PASSWORD_LENGTH, ADMINISTRATOR_ROLE } from '@rogatka/contract/users.ts'
import type { Config } from '../config.ts'
import { isBreached } from './breached-passwords.ts'
import { isCommon, isMadeOfNames } from './guessable-passwords.ts'
import { Refusal, refuseFields } from './refusal.ts'

/** Argon2id with OWASP parameters (19 MiB, 2 passes, 1 lane), the library's defaults. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/** Verified for unknown users, so that the response takes equally long. */
const dummyHash = hash(crypto.randomUUID())

/** Whether the password matches; false for null, in the same time. */
export async function passwordMatches(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await dummyHash), password)
  return matches && passwordHash != null
}

/** The settings that new passwords depend on. */
export type PasswordRules = Pick<Config, 'passwordMinLength' | 'ownerCompany' | 'breachedPasswords'>

/** Whose password it is. */
type Holder = {
  /** The first role. */
  roleId: number | null
  /** Username, names and e-mail address: a password made of them is guessed first. */
  names: readonly (string | null | undefined)[]
}

/**
 * Checks a new password: its length by the role of its user, and that it is not easily guessed.
 * @throws 422 at the field `path`, 503 if the file of breached passwords cannot be read
 */
export async function checkNewPassword(
  rules: PasswordRules,
  password: string,
  { roleId, names }: Holder,
  path = 'password',
): Promise<void> {
  const minLength = rules.passwordMinLength
  const error = (code: ErrorCode) => refuseFields(422, [{ path, code, params: { length: minLength } }])
  if (roleId === ADMINISTRATOR_ROLE && password.length < ADMINISTRATOR_PASSWORD_LENGTH)
    throw error('password-for-admin-cannot-be-shorter-than-12')
  if (password.length < minLength) throw error('password-too-short')
  if (await isMadeOfNames(password, [PRODUCT, rules.ownerCompany, ...names])) throw error('password-made-of-names')
  if (await isCommon(password)) throw error('password-common')
  if (rules.breachedPasswords && (await isKnownAsBreached(rules.breachedPasswords, password)))
    throw error('password-breached')
}

const PRODUCT = 'Rogatka'

/** A file that cannot be read must not let breached passwords pass. */
const isKnownAsBreached = (path: string, password: string) =>
  isBreached(path, password).catch(() => {
    throw new Refusal('unavailable', 503)
  })
