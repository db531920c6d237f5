import { z } from 'zod'
import { MAX_ADDITIONAL_SECONDS } from './current.ts'
import { endpoint } from './endpoint.ts'
import { userOrders } from './options.ts'
import { person } from './users-self.ts'
import {
  emailAddress,
  instant,
  optionalText,
  passwordText,
  queryId,
  queryInt,
  requiredText,
  sortDirections,
} from './wire.ts'

export const settings = z.object({
  /** Seconds that vehicles stay on the live list after their checkpoint time. */
  checkpointAdditionalTime: z.int().min(0).max(MAX_ADDITIONAL_SECONDS),
})

/** Default dialling prefix; the prefix of a number is its first three characters. */
export const PHONE_PREFIX = '+48'

/** The administrator role, which needs longer passwords. */
export const ADMINISTRATOR_ROLE = 8
export const ADMINISTRATOR_PASSWORD_LENGTH = 12
export const PASSWORD_LENGTH = 6

const roleReference = z.object({ id: z.int().positive(), name: z.string().optional() })

export const user = person.extend({
  phoneNumberDir: z.string(),
  enabled: z.boolean(),
  description: z.string().nullable(),
  company: z.string().nullable(),
  organization: z.string().nullable(),
  sendUserLogsToServer: z.boolean(),
  ticket: z.boolean(),
  lastLogin: instant.nullable(),
  /** Signs in with a second factor. */
  hasFactor: z.boolean(),
  /** The caller may change or delete this user. */
  manageable: z.boolean(),
  /** Version for optimistic locking: must be sent with a change. */
  version: z.int(),
})
export type User = z.output<typeof user>
export type WireUser = z.input<typeof user>

const name = requiredText(60)
/** Digits, spaces and dashes, with or without a prefix; stored with one. */
const phoneNumber = requiredText(40).regex(/^\+?[\d\s-]{4,24}$/, 'incorrect-phone-number')

/** Fields of an account in requests. */
export const account = z.object({
  username: name,
  firstName: name,
  lastName: name,
  email: emailAddress,
  phoneNumber,
  roles: z
    .array(z.union([z.int().positive(), roleReference]), {
      error: ({ input }) => (input == null ? 'required-parameter-missing' : 'invalid-value'),
    })
    .min(1, 'required-parameter-missing')
    .max(1, 'list-too-long'),
  enabled: z.boolean().default(true),
  ticket: z.boolean().default(false),
  description: optionalText(200).nullish(),
  /** Unchanged if absent, like `sendUserLogsToServer`. */
  organization: optionalText(120).nullish(),
  sendUserLogsToServer: z.boolean().optional(),
})

export const newUser = account.extend({
  password: passwordText,
})

export const changedUser = account.extend({
  /** Required like the next one, except of an account of a provider, which may have none. */
  email: emailAddress.nullish(),
  phoneNumber: phoneNumber.nullish(),
  /** Null: unchanged. */
  password: z.string().max(200).nullish(),
  company: optionalText(120).nullish(),
  version: z.int().optional(),
})

const userParams = z.object({ id: queryId })

export const list = endpoint({
  method: 'GET',
  path: '/users',
  access: ['UserManagement', 'UsersAdmin'],
  summary: 'Lists users, by default by name; the header X-Total-Count has the total',
  query: z.object({
    page: queryId.default(1),
    limit: queryInt.pipe(z.int().min(1).max(1000)).default(1000),
    /** Missing values last, ties by username. */
    orderBy: z.enum(userOrders).default('username'),
    orderDirection: z.enum(sortDirections).default('asc'),
    /** Substring of the username, case-insensitive. */
    username: z.string().trim().max(60).optional(),
  }),
  response: z.object({ content: z.array(user), totalCount: z.int() }),
})

export const read = endpoint({
  method: 'GET',
  path: '/users/:id',
  access: ['UserManagement', 'UsersAdmin'],
  summary: 'Returns a user',
  params: userParams,
  response: user,
})

export const add = endpoint({
  method: 'POST',
  path: '/users',
  access: ['UserManagement', 'UsersAdmin'],
  summary: 'Creates a user with one role; callers cannot grant rights that they lack',
  stepUp: 'recent',
  body: newUser,
  response: user,
})

export const change = endpoint({
  method: 'PUT',
  path: '/users/:id',
  access: ['UserManagement', 'UsersAdmin'],
  summary: 'Changes a user; a new password or fewer rights end their sessions',
  stepUp: 'recent',
  params: userParams,
  body: changedUser,
  response: user,
})

export const bulkDelete = endpoint({
  method: 'POST',
  path: '/users/bulk-delete',
  access: ['UserManagement', 'UsersAdmin'],
  summary: 'Deletes users; all or none',
  stepUp: 'recent',
  body: z.array(z.int().positive()).min(1).max(1000),
})

export const resetFactors = endpoint({
  method: 'POST',
  path: '/users/:id/factors/reset',
  access: ['UserManagement', 'UsersAdmin'],
  summary: 'Removes the second factors of a user who lost them, and ends their sessions',
  stepUp: 'recent',
  params: userParams,
})

export const unlinkIdentity = endpoint({
  method: 'POST',
  path: '/users/:id/identity/unlink',
  access: ['UserManagement', 'UsersAdmin'],
  summary: 'Unlinks the account of another user from its identity provider, and ends their sessions',
  stepUp: 'recent',
  params: userParams,
})
