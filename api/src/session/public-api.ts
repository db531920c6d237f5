/* What other features may use of this one; nothing else is imported from outside. */

export { verifyCurrentPassword, wrongCurrentPassword } from './lockout.ts'
export { ownSessions } from './queries.ts'
