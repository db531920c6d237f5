/* Public API of this feature; other features import nothing else. */

export { useAllUsers } from './useUsers.ts'
