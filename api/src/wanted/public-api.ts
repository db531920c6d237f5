/* What other features may use of this one; nothing else is imported from outside. */

export { insertHits, matchPlates } from './ingest-queries.ts'
export { notifyContacts } from './messages/notify.ts'
export { listMarks } from './queries.ts'
