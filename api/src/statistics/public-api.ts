/* Public API of this feature; other features import nothing else. */

export type { StationDay } from './distribution-bin-queries.ts'
export { figureDays, measuredDays, replaceFigures } from './figure-queries.ts'
export { countHours, markDays } from './ingest-queries.ts'
export {
  type HourOfTraffic,
  hoursOfTraffic,
  trafficCells,
  trafficTimeRange,
  type VehicleGroup,
  vehicleGroups,
} from './queries.ts'
