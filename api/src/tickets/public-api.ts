/* Public API of this feature; other features import nothing else. */

export { attachmentBytes, checkAttachment, contentDisposition, storeAttachment } from './attachment.ts'
export { failuresWithEvidence } from './health-queries.ts'
export { parseFiles } from './read.ts'
