import { endpoint } from './endpoint.ts'
import { self } from './users-self.ts'

/* In a module of its own: every page needs this endpoint, few need the other preferences. */

export const readSelf = endpoint({
  method: 'GET',
  path: '/users/self',
  access: 'session',
  summary: "Returns the caller's account and rights",
  response: self,
  allowsExpiredPassword: true,
  allowsMissingFactor: true,
})
