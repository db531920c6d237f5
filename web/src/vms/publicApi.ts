/* What other features may use of this one; nothing else is imported from outside. */

export { useAllSigns, usePreloadedSign, useVehiclesOnSigns } from './useSignGroups.ts'
