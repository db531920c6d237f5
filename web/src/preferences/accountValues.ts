import { updateSelf } from '@rogatka/contract/preferences.ts'
import type { WireSelf } from '@rogatka/contract/users-self.ts'
import { phoneOf, phoneParts } from '../ui/phone.ts'

/** Form values of the own account. */
export type AccountValues = {
  firstName: string
  lastName: string
  email: string
  prefix: string
  number: string
  /** The current password, required for the change. */
  password: string
}

export const valuesOf = (self: WireSelf): AccountValues => ({
  firstName: self.firstName ?? '',
  lastName: self.lastName ?? '',
  email: self.email ?? '',
  ...phoneParts(self.phoneNumber),
  password: '',
})

/** Request body; an account of a provider has no password, and need not have a mail address or a phone. */
export const accountOf = (values: AccountValues, { provider }: Pick<WireSelf, 'provider'>) => ({
  firstName: values.firstName.trim(),
  lastName: values.lastName.trim(),
  email: values.email.trim() || (provider === null ? '' : null),
  phoneNumber: phoneOf(values) || (provider === null ? '' : null),
  ...(provider === null && { password: values.password }),
})

/** Server names of the fields that can show an error. */
export const PATHS = ['firstName', 'lastName', 'email', 'phoneNumber', 'password']

/** Form field by the server's name. */
export const fieldOf = (path: string): string => (path === 'phoneNumber' ? 'number' : path)

/** Error codes by field. */
export function accountErrors(values: AccountValues, self: Pick<WireSelf, 'provider'>): Record<string, string> {
  const issues = updateSelf.body.safeParse(accountOf(values, self)).error?.issues ?? []
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [fieldOf(String(path[0])), message]))
}
