import { updateSelf } from '@rogatka/contract/preferences.ts'
import type { WireSelf } from '@rogatka/contract/users.ts'
import { phoneOf, phoneParts } from '../ui/phone.ts'

/** One's own account as the form has it. */
export type AccountValues = {
  firstName: string
  lastName: string
  email: string
  prefix: string
  number: string
  /** The current password, which confirms the change. */
  password: string
}

export const valuesOf = (self: WireSelf): AccountValues => ({
  firstName: self.firstName ?? '',
  lastName: self.lastName ?? '',
  email: self.email ?? '',
  ...phoneParts(self.phoneNumber),
  password: '',
})

/** What is sent. */
export const accountOf = (values: AccountValues) => ({
  firstName: values.firstName.trim(),
  lastName: values.lastName.trim(),
  email: values.email.trim(),
  phoneNumber: phoneOf(values),
  password: values.password,
})

/** The names of fields that the server knows. */
export const PATHS = ['firstName', 'lastName', 'email', 'phoneNumber', 'password']

/** A field of the form by the name that the server gives it. */
export const fieldOf = (path: string): string => (path === 'phoneNumber' ? 'number' : path)

/** What is wrong, by field, as codes. */
export function accountErrors(values: AccountValues): Record<string, string> {
  const issues = updateSelf.body.safeParse(accountOf(values)).error?.issues ?? []
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [fieldOf(String(path[0])), message]))
}
