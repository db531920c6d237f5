/* What other features may use of this one; nothing else is imported from outside. */

export { countHours, markDays } from './ingest-queries.ts'
export { type HourOfTraffic, hoursOfTraffic, trafficTimeRange, type VehicleGroup, vehicleGroups } from './queries.ts'
