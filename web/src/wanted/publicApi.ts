/* Public API of this feature; other features import nothing else. */

export { HitRows } from './HitRows.tsx'
export { isApproaching, needsAttention, openHitSheet, useOpenHits } from './openHits.ts'
