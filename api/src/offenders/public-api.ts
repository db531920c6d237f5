/* Public API of this feature; other features import nothing else. */

export { markInspected } from './derive-queries.ts'
