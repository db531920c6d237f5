/* Public API of this feature; other features import nothing else. */

export { usePermissionTexts } from './usePermissionTexts.ts'
export { useAllRoles } from './useRoles.ts'
