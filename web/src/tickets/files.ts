import { attachmentTypes, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '@rogatka/contract/tickets.ts'

/** Whether a ticket takes files of this type. */
export const isAccepted = ({ type }: File): boolean => (attachmentTypes as readonly string[]).includes(type)

/** What is wrong with files that are to be sent together, as a code; their content is judged by the server. */
export function filesError(files: readonly File[]): string | null {
  if (files.length > MAX_ATTACHMENTS) return 'list-too-long'
  if (!files.every(isAccepted)) return 'attachment-kind-not-accepted'
  return files.some(({ size }) => size > MAX_ATTACHMENT_BYTES) ? 'attachment-too-large' : null
}

/** The form that carries files. */
export function formOf(files: readonly File[]): FormData {
  const form = new FormData()
  for (const file of files) form.append('attachment', file)
  return form
}
