/* Public API of this feature; other features import nothing else. */

export { LazySignButton } from './LazySignButton.tsx'
export { useOpenVehicle } from './useBack.ts'
export { useCountdown } from './useCountdown.ts'
export { useDataFields } from './useDataFields.ts'
export { useFilterTexts } from './useFilterTexts.ts'
export { findingsOf, layoutOf, missingWeight, overloadedAxles, useFindingTexts } from './useFindings.ts'
export { useImageExpiry } from './useImageExpiry.ts'
export { useOnceVisible } from './useOnceVisible.ts'
export { useRowKeys } from './useRowKeys.ts'
export { isTagged, onTags, useTag } from './useTag.ts'
export { changeFilters, readFilters } from './useVehicleFilters.ts'
export { useImage, useVehicle } from './useVehicleSource.ts'
