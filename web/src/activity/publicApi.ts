/* Public API of this feature; other features import nothing else. */

export { useUserLog } from './useUserLog.ts'
