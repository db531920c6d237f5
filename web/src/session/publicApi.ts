/* Public API of this feature; other features import nothing else. */

export { useStrength } from './useStrength.ts'
