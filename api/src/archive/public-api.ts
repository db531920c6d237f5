/* Public API of this feature; other features import nothing else. */

export { type HourMark, hourMarks, inMarkedHour, markedHours } from './derived/hour-mark-queries.ts'
export { markChangedHours } from './derived/ingest-queries.ts'
