import { PHONE_PREFIX } from '@rogatka/contract/users.ts'

/** A phone number as a form has it: the dialling prefix, and the rest in groups of three. */
type Phone = { prefix: string; number: string }

/** The first characters of a number are its prefix; without a number the usual one. */
export function phoneParts(phoneNumber: string | null): Phone {
  if (!phoneNumber) return { prefix: PHONE_PREFIX, number: '' }
  const length = PHONE_PREFIX.length
  const rest = phoneNumber.slice(length)
  return { prefix: phoneNumber.slice(0, length), number: rest.replace(/(\d{3})(?=\d)/g, '$1 ') }
}

/** As it is sent: with its prefix, unless it was typed with one; empty when nothing was typed. */
export function phoneOf({ prefix, number }: Phone): string {
  const typed = number.trim()
  return typed === '' || typed.startsWith('+') ? typed : prefix.trim() + typed
}
