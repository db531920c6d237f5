/* What other features may use of this one; nothing else is imported from outside. */

export { type Caller, changeAccounts } from './change-accounts.ts'
export { isRoleNameFree, roleById, upsertRole } from './queries.ts'
export { administratorLevel, lockAccounts, permissionsByUser, setRole } from './user-role-queries.ts'
