/* What other features may use of this one; nothing else is imported from outside. */

export { usePermissionTexts } from './usePermissionTexts.ts'
export { useAllRoles } from './useRoles.ts'
