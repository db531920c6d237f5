/* Public API of this feature; other features import nothing else. */

export { useAuditTexts } from './useAuditTexts.ts'
export { useUserLog } from './useUserLog.ts'
