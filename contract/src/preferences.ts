import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { account, settings } from './users.ts'
import { instant, typedPassword } from './wire.ts'

export const updateSelf = endpoint({
  method: 'PUT',
  path: '/users/self/update',
  access: 'SelfPersonal',
  summary: "Changes the caller's own account data; requires the current password",
  body: account
    .pick({ firstName: true, lastName: true, email: true, phoneNumber: true })
    .extend({ password: typedPassword }),
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
  /** The session that asks. */
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
