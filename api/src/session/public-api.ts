/* Public API of this feature; other features import nothing else. */

export { verifyCurrentPassword, wrongCurrentPassword } from './lockout.ts'
export { ownSessions } from './queries.ts'
