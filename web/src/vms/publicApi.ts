/* Public API of this feature; other features import nothing else. */

export { useAllSigns, usePreloadedSign, useVehiclesOnSigns } from './useSignGroups.ts'
