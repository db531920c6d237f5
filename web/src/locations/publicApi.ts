/* Public API of this feature; other features import nothing else. */

export { useLocations } from './useLocations.ts'
export { useStations } from './useStations.ts'
