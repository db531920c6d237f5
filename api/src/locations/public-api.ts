/* Public API of this feature; other features import nothing else. */

export { limitsDocumentAt } from './limits.ts'
export {
  legalLimitsOf,
  locations,
  type NewLocation,
  openLocations,
  overheightAlarmStations,
  speedLimits,
  stationOf,
  stationSilence,
  vehicleLocations,
} from './queries.ts'
