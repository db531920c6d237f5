/* Public API of this feature; other features import nothing else. */

export { countAnchorsToCopy } from './anchor-queries.ts'
export { evidenceState, requestEvidenceCheck } from './check.ts'
export type { DocumentSignature, DocumentSigner } from './documents.ts'
export { integrityOf } from './integrity.ts'
export { countTrailLines, MAX_LOG_LINES, type TrailPackager, type TrailPart, trailPart } from './log-package.ts'
export type { Packager } from './package.ts'
export { findAnchor, findVehicleSeal, listAuditLines, type SealedText, type VehicleSeal } from './proofs.ts'
export { delayFault, sealingDelay } from './sealing-delay.ts'
export { countStampsMissingSince, findStamp, requestStamp, type Stamp, type StampKind } from './stamp-queries.ts'
