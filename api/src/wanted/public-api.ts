/* Public API of this feature; other features import nothing else. */

export type { OpenHits } from './desk/open-hits.ts'
export { hitsOfShift } from './desk/shift.ts'
export { recordShown } from './desk/shown.ts'
export { insertHits, matchPlates } from './ingest-queries.ts'
export { notifyContacts } from './messages/notify.ts'
export { hitTimes, listMarks } from './queries.ts'
