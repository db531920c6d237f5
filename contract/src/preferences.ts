import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { sessionFactors } from './options.ts'
import { account, changedUser, settings } from './users.ts'
import { instant, ownPassword, passwordText, queryId } from './wire.ts'

export const updateSelf = endpoint({
  method: 'PUT',
  path: '/users/self/update',
  access: 'SelfPersonal',
  summary: "Changes the caller's own account data; requires the current password",
  body: account
    .pick({ firstName: true, lastName: true })
    .extend({ ...changedUser.pick({ email: true, phoneNumber: true }).shape, password: ownPassword }),
})

export const saveSettings = endpoint({
  method: 'PUT',
  path: '/users/self/settings',
  access: 'SelfConfig',
  summary: "Saves the caller's settings",
  body: settings,
})

export const ownSession = z.object({
  id: z.int(),
  createdAt: instant,
  lastSeenAt: instant,
  ip: z.string(),
  userAgent: z.string().nullable(),
  /** The second factor it was opened with; null: the password alone. */
  factor: z.enum(sessionFactors).nullable(),
  /** Name of the provider through which it was opened; null: by the portal itself. */
  provider: z.string().nullable(),
  /** The session of this request. */
  current: z.boolean(),
})

export const ownSessions = endpoint({
  method: 'GET',
  path: '/users/self/sessions',
  access: 'session',
  summary: "Lists the caller's sessions, newest first",
  response: z.array(ownSession),
})

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/users/self/sessions',
  access: 'session',
  summary: 'Ends all other sessions of the caller',
})

export const endOwnSession = endpoint({
  method: 'DELETE',
  path: '/users/self/sessions/:id',
  access: 'session',
  summary: 'Ends another session of the caller',
  params: z.object({ id: queryId }),
})

export const readSettings = endpoint({
  method: 'GET',
  path: '/users/self/settings',
  access: 'SelfConfig',
  summary: "Returns the caller's settings",
  response: settings,
})

export const updatePassword = endpoint({
  method: 'PUT',
  path: '/users/self/update-password',
  access: 'PasswordChange',
  summary: "Changes the caller's password; ends all their other sessions",
  body: z.object({
    password: passwordText,
    newPassword: passwordText,
  }),
  allowsExpiredPassword: true,
})
