/* Public API of this feature; other features import nothing else. */

export { isStoredAs } from './digest.ts'
export { collectedDays, collectedOf, deleteCollected, deleteCollectedDay } from './figure-queries.ts'
export { collectPastVehicles, findStored, storePastVehicles } from './past.ts'
export { insertQuarantined, type RejectedVehicle, type StoredVehicle, type VehicleOfStation } from './queries.ts'
export type { Receivers } from './receivers.ts'
export { REUSED, toRejectedVehicle } from './rejected.ts'
export { createStationCache, type StationRules } from './station.ts'
export { keyOf, withRetry } from './store.ts'
export { type Candidate, validateBatch } from './validate.ts'
