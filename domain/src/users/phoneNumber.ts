import { PHONE_PREFIX } from '@rogatka/contract/users.ts'

/** A phone number as stored: digits after the prefix, +48 by default. */
export const normalisePhoneNumber = (text: string): string => {
  const digits = text.replace(/[\s-]/g, '')
  return digits.startsWith('+') ? digits : PHONE_PREFIX + digits
}
