/* Public API of this feature; other features import nothing else. */

export { inspectionMarks } from './queries.ts'
