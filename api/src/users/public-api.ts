/* Public API of this feature; other features import nothing else. */

export {
  accountByResetToken,
  accountByUsername,
  accountsByEmail,
  consumeResetToken,
  deleteResetTokens,
  emailsWithPermission,
  findCredentials,
  insertResetToken,
  lockVerified,
  recordSignIn,
  setPassword,
} from './credential-queries.ts'
export { type Account, saveSettings, updateSelf, userById } from './queries.ts'
