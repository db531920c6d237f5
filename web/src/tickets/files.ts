import { attachmentTypes, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '@rogatka/contract/tickets.ts'

/** Whether tickets accept the file type. */
export const isAccepted = ({ type }: File): boolean => (attachmentTypes as readonly string[]).includes(type)

/** Error code of a selection of files, null if valid; the server checks their content. */
export function filesError(files: readonly File[]): string | null {
  if (files.length > MAX_ATTACHMENTS) return 'list-too-long'
  if (!files.every(isAccepted)) return 'attachment-kind-not-accepted'
  return files.some(({ size }) => size > MAX_ATTACHMENT_BYTES) ? 'attachment-too-large' : null
}

/** Form data with the files. */
export function formOf(files: readonly File[]): FormData {
  const form = new FormData()
  for (const file of files) form.append('attachment', file)
  return form
}
