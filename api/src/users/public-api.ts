/* Public API of this feature; other features import nothing else. */

export { auditedIdentity } from './audited-identity.ts'
export { checkContact, storedContact } from './contact.ts'
export {
  accountByResetToken,
  accountByUsername,
  accountsByEmail,
  consumeResetToken,
  deleteResetTokens,
  emailsWithPermission,
  findCredentials,
  insertResetToken,
  lockResetMails,
  lockVerified,
  recordSignIn,
  setPassword,
} from './credential-queries.ts'
export {
  type Authenticator,
  acceptStep,
  activateSetup,
  countRecoveryCodes,
  deleteAuthenticator,
  deleteExpiredSetups,
  deleteFactors,
  deleteSetups,
  findAuthenticator,
  findSetup,
  hasFactor,
  hasPasskey,
  hasUnlockedPasskey,
  insertSetup,
  lockCodeHashes,
  lockSecrets,
  replaceCodeHash,
  replaceRecoveryCodes,
  replaceSecret,
  unusedRecoveryCodes,
  useRecoveryCode,
} from './factor-queries.ts'
export {
  accountByIdentity,
  deleteIdentity,
  findIdentity,
  type Identity,
  insertIdentity,
  insertLink,
  recordIdentityUse,
  usernamesInUse,
} from './identity-queries.ts'
export {
  acceptCounter,
  deletePasskey,
  insertPasskey,
  listPasskeys,
  lockPasskey,
  type Passkey,
  passkeyByCredential,
  renamePasskey,
} from './passkey-queries.ts'
export { type Account, insertUser, saveSettings, updateSelf, userById } from './queries.ts'
