import {
  ADMINISTRATOR_PASSWORD_LENGTH,
  ADMINISTRATOR_ROLE,
  changedUser,
  newUser,
  PASSWORD_LENGTH,
  type WireUser,
} from '@rogatka/contract/users.ts'
import { phoneOf, phoneParts } from '../ui/phone.ts'

/** A user as the form has them. */
export type UserValues = {
  username: string
  password: string
  repeatPassword: string
  prefix: string
  number: string
  firstName: string
  lastName: string
  email: string
  /** The id of the role as a choice has it; null: none yet. */
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

/** A stored user as the form begins with them: the password is not known here and stays unless one is typed. */
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

/** What is sent of a new user. */
export const newUserOf = (values: UserValues) => ({ ...accountOf(values), password: values.password })

/** What is sent of a changed user; an untouched password goes as null. */
export const changedUserOf = (values: UserValues, version: number) => ({
  ...accountOf(values),
  password: values.password === '' ? null : values.password,
  company: values.company.trim() || null,
  version,
})

/** Fields of the form by the names that the server gives them. */
const FIELD_OF: Record<string, keyof UserValues> = { phoneNumber: 'number', roles: 'role' }
export const fieldOf = (path: string): string => FIELD_OF[path] ?? path

/** Names of the server's for what this form can show beside a field. */
export const PATHS = ['username', 'password', 'phoneNumber', 'firstName', 'lastName', 'email', 'roles', 'enabled']

const isAdministrator = (role: string | null) => role === String(ADMINISTRATOR_ROLE)

/** Whether a stored user becomes administrator: they need a password that was chosen for one. */
export const becomesAdministrator = (role: string | null, before: string | null): boolean =>
  isAdministrator(role) && !isAdministrator(before)

function passwordError({ password, role }: UserValues, before: UserValues | null, least: number): string | null {
  if (password === '')
    return before && becomesAdministrator(role, before.role) ? 'password-for-admin-cannot-be-shorter-than-12' : null
  if (isAdministrator(role) && password.length < ADMINISTRATOR_PASSWORD_LENGTH)
    return 'password-for-admin-cannot-be-shorter-than-12'
  return password.length < least ? 'password-too-short' : null
}

function repeatError({ password, repeatPassword }: UserValues, before: UserValues | null): string | null {
  if (!before && repeatPassword === '') return 'required-parameter-missing'
  return password === repeatPassword ? null : 'passwords-are-not-the-same'
}

/** What is wrong, by field, as codes; `before` is the stored user, null for a new one; `least`: characters of a password. */
export function userErrors(
  values: UserValues,
  before: UserValues | null,
  least: number = PASSWORD_LENGTH,
): Record<string, string> {
  const parsed = before ? changedUser.safeParse(changedUserOf(values, 0)) : newUser.safeParse(newUserOf(values))
  const issues = parsed.error?.issues ?? []
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[fieldOf(String(path[0]))] ??= message
  const password = passwordError(values, before, least)
  if (password) errors.password ??= password
  const repeat = repeatError(values, before)
  if (repeat) errors.repeatPassword = repeat
  return errors
}
