import { PHONE_PREFIX } from '@rogatka/contract/users.ts'

/** Phone number as form values: dialling prefix, and the rest in groups of three digits. */
type Phone = { prefix: string; number: string }

/** Splits a stored number into prefix and rest; the default prefix without a number. */
export function phoneParts(phoneNumber: string | null): Phone {
  if (!phoneNumber) return { prefix: PHONE_PREFIX, number: '' }
  const length = PHONE_PREFIX.length
  const rest = phoneNumber.slice(length)
  return { prefix: phoneNumber.slice(0, length), number: rest.replace(/(\d{3})(?=\d)/g, '$1 ') }
}

/** The number to send: with the prefix, unless typed with its own; empty if nothing was typed. */
export function phoneOf({ prefix, number }: Phone): string {
  const input = number.trim()
  return input === '' || input.startsWith('+') ? input : prefix.trim() + input
}
