/* Public API of this feature; other features import nothing else. */

export { attachmentBytes, checkAttachment, contentDisposition, storeAttachment } from './attachment.ts'
export { parseFiles } from './read.ts'
