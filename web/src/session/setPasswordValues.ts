import { PASSWORD_LENGTH } from '@rogatka/contract/users.ts'

export type SetPasswordValues = { token: string; newPassword: string; confirmPassword: string }

/** What is wrong, by field, as keys of the room's texts; `least`: characters that a password needs here. */
export function setPasswordErrors(
  { token, newPassword, confirmPassword }: SetPasswordValues,
  least: number = PASSWORD_LENGTH,
): Record<string, string> {
  const faults: Record<string, string> = {}
  if (token.trim() === '') faults.token = 'token-required'
  if (newPassword === '') faults.newPassword = 'password-required'
  else if (newPassword.length < least) faults.newPassword = 'password-min'
  if (confirmPassword === '') faults.confirmPassword = 'confirm-required'
  else if (confirmPassword !== newPassword) faults.confirmPassword = 'passwords-differ'
  return faults
}

/** The message of a failure without the technical prefix before its first colon. */
export const withoutPrefix = (message: string): string => message.replace(/^[^:]*:\s*/, '')
