/* Public API of this feature; other features import nothing else. */

export { findStamp, requestStamp, type Stamp, type StampKind } from './stamp-queries.ts'
