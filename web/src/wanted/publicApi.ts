/* Public API of this feature; other features import nothing else. */

export { isApproaching, needsAttention, openHitSheet, useOpenHits } from './openHits.ts'
