/* Public API of this feature; other features import nothing else. */

export { expectedStations, useLocations } from './useLocations.ts'
export { useOpenStations, useStations } from './useStations.ts'
