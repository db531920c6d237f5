import { PASSWORD_LENGTH } from '@rogatka/contract/users.ts'

export type SetPasswordValues = { token: string; newPassword: string; confirmPassword: string }

/** Text keys of errors, by field; `minLength` of a password. */
export function setPasswordErrors(
  { token, newPassword, confirmPassword }: SetPasswordValues,
  minLength: number = PASSWORD_LENGTH,
): Record<string, string> {
  const errors: Record<string, string> = {}
  if (token.trim() === '') errors.token = 'token-required'
  if (newPassword === '') errors.newPassword = 'password-required'
  else if (newPassword.length < minLength) errors.newPassword = 'password-min'
  if (confirmPassword === '') errors.confirmPassword = 'confirm-required'
  else if (confirmPassword !== newPassword) errors.confirmPassword = 'passwords-differ'
  return errors
}

/** Removes the technical prefix up to the first colon. */
export const withoutPrefix = (message: string): string => message.replace(/^[^:]*:\s*/, '')
