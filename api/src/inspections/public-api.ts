/* Public API of this feature; other features import nothing else. */

export { lanesBelowClass } from './below-class.ts'
export { inspectionsOfShift } from './shift.ts'
export { inspectionMarks, stationsWithOpenInspections } from './vehicle-queries.ts'
