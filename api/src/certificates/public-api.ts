/* Public API of this feature; other features import nothing else. */

export { type Expiring, expiringCertificates } from './expiring.ts'
export { certifiedLane, lockScale, markScaleUsed, selectCertificates, takeScale } from './queries.ts'
