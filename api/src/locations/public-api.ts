/* Public API of this feature; other features import nothing else. */

export { limitsDocumentAt } from './limits.ts'
export {
  legalLimitsOf,
  locations,
  type NewLocation,
  overheightAlarmStations,
  speedLimits,
  stationOf,
  vehicleLocations,
} from './queries.ts'
