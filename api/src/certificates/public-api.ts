/* Public API of this feature; other features import nothing else. */

export { certifiedLane, lockScale, markScaleUsed, selectCertificates, takeScale } from './queries.ts'
