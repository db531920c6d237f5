import { endpoint } from './endpoint.ts'
import { self } from './users-self.ts'

/* Apart from the other preferences, as every page needs it, and few need those. */

export const readSelf = endpoint({
  method: 'GET',
  path: '/users/self',
  access: 'session',
  summary: "Returns the caller's account and rights",
  response: self,
  allowsExpiredPassword: true,
  allowsMissingFactor: true,
})
