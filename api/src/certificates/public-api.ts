/* Public API of this feature; other features import nothing else. */

export { type ExpiringCertificate, expiringCertificates } from './expiring.ts'
export { certifiedLane, markScaleUsed, selectCertificates } from './queries.ts'
export { lockScale, takeScale } from './scales.ts'
