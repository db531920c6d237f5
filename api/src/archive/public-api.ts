/* Public API of this feature; other features import nothing else. */

export { markChangedHours } from './derived/ingest-queries.ts'
