/* Public API of this feature; other features import nothing else. */

export { type Caller, changeAccounts } from './change-accounts.ts'
export { findRole, insertRole, isRoleNameFree, roleById, roles, upsertRole } from './queries.ts'
export { administratorLevel, lockAccounts, permissionsByUser, setRole } from './user-role-queries.ts'
