/* Public API of this feature; other features import nothing else. */

export { countHours, markDays } from './ingest-queries.ts'
export {
  type HourOfTraffic,
  hoursOfTraffic,
  trafficCells,
  trafficTimeRange,
  type VehicleGroup,
  vehicleGroups,
} from './queries.ts'
