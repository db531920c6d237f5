/* Public API of this feature; other features import nothing else. */

export { lastReopenings, stationClosures } from './closure-queries.ts'
export { limitsDocumentAt } from './limits.ts'
export {
  findStation,
  listLegalLimits,
  listLimitsOfStations,
  locations,
  type NewLocation,
  openLocations,
  overheightAlarmStations,
  speedLimits,
  stationSilence,
  vehicleLocations,
} from './queries.ts'
export { requireLocations } from './require-locations.ts'
