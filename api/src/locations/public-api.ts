/* Public API of this feature; other features import nothing else. */

export { limitsDocumentAt } from './limits.ts'
export {
  legalLimitsOf,
  locations,
  type NewLocation,
  overheightAlarmStations,
  stationOf,
  vehicleLocations,
} from './queries.ts'
