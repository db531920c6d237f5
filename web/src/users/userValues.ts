import {
  ADMINISTRATOR_PASSWORD_LENGTH,
  ADMINISTRATOR_ROLE,
  changedUser,
  newUser,
  PASSWORD_LENGTH,
  type WireUser,
} from '@rogatka/contract/users.ts'
import { phoneOf, phoneParts } from '../ui/phone.ts'

/** Form values of a user. */
export type UserValues = {
  username: string
  password: string
  repeatPassword: string
  prefix: string
  number: string
  firstName: string
  lastName: string
  email: string
  /** Role id as a select value; null: none. */
  role: string | null
  description: string
  company: string
  organization: string
  enabled: boolean
  ticket: boolean
}

export const emptyUser: UserValues = {
  username: '',
  password: '',
  repeatPassword: '',
  ...phoneParts(null),
  firstName: '',
  lastName: '',
  email: '',
  role: null,
  description: '',
  company: '',
  organization: '',
  enabled: true,
  ticket: false,
}

/** Initial values of a stored user: without the password, which is kept unless a new one is typed. */
export const valuesOf = (user: WireUser): UserValues => ({
  username: user.username,
  password: '',
  repeatPassword: '',
  ...phoneParts(user.phoneNumber),
  firstName: user.firstName ?? '',
  lastName: user.lastName ?? '',
  email: user.email ?? '',
  role: user.roles[0] ? String(user.roles[0].id) : null,
  description: user.description ?? '',
  company: user.company ?? '',
  organization: user.organization ?? '',
  enabled: user.enabled,
  ticket: user.ticket,
})

const accountOf = (values: UserValues) => ({
  username: values.username.trim(),
  firstName: values.firstName.trim(),
  lastName: values.lastName.trim(),
  email: values.email.trim(),
  phoneNumber: phoneOf(values),
  roles: values.role === null ? [] : [Number(values.role)],
  enabled: values.enabled,
  ticket: values.ticket,
  organization: values.organization.trim() || null,
  description: values.description.trim() || null,
})

/** Request body of a new user. */
export const newUserOf = (values: UserValues) => ({ ...accountOf(values), password: values.password })

/** Request body of a changed user; null keeps the password. An account of a provider may have neither mail nor phone. */
export const changedUserOf = (values: UserValues, version: number, isOfProvider: boolean) => ({
  ...accountOf(values),
  ...(isOfProvider && { email: values.email.trim() || null, phoneNumber: phoneOf(values) || null }),
  password: values.password === '' ? null : values.password,
  company: values.company.trim() || null,
  version,
})

/** Form fields by the server's names. */
const FIELD_OF: Record<string, keyof UserValues> = { phoneNumber: 'number', roles: 'role' }
export const fieldOf = (path: string): string => FIELD_OF[path] ?? path

/** Server names of the fields that can show an error. */
export const PATHS = ['username', 'password', 'phoneNumber', 'firstName', 'lastName', 'email', 'roles', 'enabled']

const isAdministrator = (role: string | null) => role === String(ADMINISTRATOR_ROLE)

/** Whether a stored user becomes an administrator, which needs a new, longer password. */
export const becomesAdministrator = (role: string | null, before: string | null): boolean =>
  isAdministrator(role) && !isAdministrator(before)

function passwordError({ password, role }: UserValues, before: UserValues | null, minLength: number): string | null {
  if (password === '')
    return before && becomesAdministrator(role, before.role) ? 'password-for-admin-cannot-be-shorter-than-12' : null
  if (isAdministrator(role) && password.length < ADMINISTRATOR_PASSWORD_LENGTH)
    return 'password-for-admin-cannot-be-shorter-than-12'
  return password.length < minLength ? 'password-too-short' : null
}

function repeatError({ password, repeatPassword }: UserValues, before: UserValues | null): string | null {
  if (!before && repeatPassword === '') return 'required-parameter-missing'
  return password === repeatPassword ? null : 'passwords-are-not-the-same'
}

/** Error codes by field; `before` is the stored user, null for a new one; `minLength` of a password. */
export function userErrors(
  values: UserValues,
  before: UserValues | null,
  { minLength = PASSWORD_LENGTH, isOfProvider = false } = {},
): Record<string, string> {
  const parsed = before
    ? changedUser.safeParse(changedUserOf(values, 0, isOfProvider))
    : newUser.safeParse(newUserOf(values))
  const issues = parsed.error?.issues ?? []
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[fieldOf(String(path[0]))] ??= message
  const password = passwordError(values, before, minLength)
  if (password) errors.password ??= password
  const repeat = repeatError(values, before)
  if (repeat) errors.repeatPassword = repeat
  return errors
}
