import { PHONE_PREFIX } from '@rogatka/contract/users.ts'

/** A number as it is stored: digits alone behind the prefix, +48 where none was given. */
export const normalisePhoneNumber = (text: string): string => {
  const digits = text.replace(/[\s-]/g, '')
  return digits.startsWith('+') ? digits : PHONE_PREFIX + digits
}
