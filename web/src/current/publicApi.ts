/* Public API of this feature; other features import nothing else. */

export { followVehicles } from './followVehicles.ts'
export { isViolating, isWanted } from './liveList.ts'
