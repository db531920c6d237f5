import { PASSWORD_LENGTH } from '@rogatka/contract/users.ts'

export type SetPasswordValues = { token: string; newPassword: string; confirmPassword: string }

/** What is wrong, by field, as keys of the room's texts; `least`: characters that a password needs here. */
export function setPasswordErrors(
  { token, newPassword, confirmPassword }: SetPasswordValues,
  least: number = PASSWORD_LENGTH,
): Record<string, string> {
  const errors: Record<string, string> = {}
  if (token.trim() === '') errors.token = 'token-required'
  if (newPassword === '') errors.newPassword = 'password-required'
  else if (newPassword.length < least) errors.newPassword = 'password-min'
  if (confirmPassword === '') errors.confirmPassword = 'confirm-required'
  else if (confirmPassword !== newPassword) errors.confirmPassword = 'passwords-differ'
  return errors
}

/** The message of a failure without the technical prefix before its first colon. */
export const withoutPrefix = (message: string): string => message.replace(/^[^:]*:\s*/, '')
