/* What other features may use of this one; nothing else is imported from outside. */

export { useLocations } from './useLocations.ts'
export { useStations } from './useStations.ts'
