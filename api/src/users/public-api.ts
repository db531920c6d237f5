/* What other features may use of this one; nothing else is imported from outside. */

export {
  accountByResetToken,
  accountByUsername,
  accountsByEmail,
  consumeResetToken,
  deleteResetTokens,
  findCredentials,
  insertResetToken,
  lockVerified,
  recordSignIn,
  setPassword,
} from './credential-queries.ts'
export { type Account, saveSettings, updateSelf, userById } from './queries.ts'
