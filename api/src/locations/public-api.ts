/* What other features may use of this one; nothing else is imported from outside. */

export { limitsDocumentAt } from './limits.ts'
export { legalLimitsOf, locations, type NewLocation, stationOf, vehicleLocations } from './queries.ts'
