/* Public API of this feature; other features import nothing else. */

export { StationFilter } from './StationFilter.tsx'
export { expectedStations, useLocations } from './useLocations.ts'
export { useStationNames } from './useStationNames.ts'
export { useOpenStations, useStations } from './useStations.ts'
