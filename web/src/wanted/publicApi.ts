/* Public API of this feature; other features import nothing else. */

export { HitImage, wholeImageOf } from './HitImages.tsx'
export { HitRows } from './HitRows.tsx'
export {
  isApproaching,
  isUrgent,
  needsAttention,
  openHitSheet,
  openHitsNow,
  useLatestOpenHit,
  useOpenHits,
} from './openHits.ts'
export { hitQuery } from './useHitActions.ts'
export { useHitOutcome } from './useHitOutcome.ts'
export { useHitSentence } from './useHitSentence.ts'
export { useHitWatch } from './useHitWatch.ts'
export { useLatestHit } from './useLatestHit.ts'
