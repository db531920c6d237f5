/* Public API of this feature; other features import nothing else. */

export { deleteViewsOf } from './queries.ts'
