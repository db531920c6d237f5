/* Public API of this feature; other features import nothing else. */

export { lanesBelowClass } from './below-class.ts'
export { inspectionMarks, stationsWithOpenInspections } from './vehicle-queries.ts'
