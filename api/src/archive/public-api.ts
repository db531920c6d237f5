/* What other features may use of this one; nothing else is imported from outside. */

export { markChangedHours } from './derived/ingest-queries.ts'
