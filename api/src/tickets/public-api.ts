/* Public API of this feature; other features import nothing else. */

export {
  attachmentBytes,
  type CheckedAttachment,
  checkAttachment,
  checkAttachments,
  contentDisposition,
  putAttachments,
  removeAttachment,
} from './attachment.ts'
export { failuresWithEvidence } from './health-queries.ts'
export { openTickets } from './queries.ts'
export { parseFiles } from './read.ts'
export { ticketsOfShift } from './shift.ts'
