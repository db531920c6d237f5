import { attachmentTypes, MAX_ATTACHMENT_BYTES, newTicket } from '@rogatka/contract/tickets.ts'
import type { WireSelf } from '@rogatka/contract/users.ts'

/** The report of a problem as its form has it. */
export type Problem = { name: string; email: string; message: string; attachment: File | null }

/** Name and address are known; they may be changed. */
export const problemOf = ({ firstName, lastName, email }: WireSelf): Problem => ({
  name: [firstName, lastName].filter(Boolean).join(' '),
  email: email ?? '',
  message: '',
  attachment: null,
})

/** What each field is called on the wire. */
export const FIELDS = { name: 'reporterName', email: 'reporterEmail', message: 'description', attachment: 'attachment' }

const ticketOf = ({ name, email, message }: Problem) => ({
  description: message.trim(),
  reporterName: name.trim(),
  reporterEmail: email.trim(),
})

/** What is sent: the ticket alone, or a form of it and its file; all else has its default. */
export function bodyOf(problem: Problem) {
  const ticket = ticketOf(problem)
  if (!problem.attachment) return ticket
  const form = new FormData()
  for (const [name, value] of Object.entries(ticket)) form.append(name, value)
  form.append('attachment', problem.attachment)
  return form
}

/** What is wrong, by field, as codes; the content of the file is judged by the server. */
export function problemFaults(problem: Problem): Record<string, string> {
  const ticket = ticketOf(problem)
  const wrong = new Map(newTicket.safeParse(ticket).error?.issues.map(({ path, message }) => [path[0], message]))
  const faults = Object.entries(FIELDS).flatMap(([field, path]) => {
    const code = wrong.get(path)
    return code ? [[field, code]] : []
  })
  const missing = (['name', 'email', 'message'] as const)
    .filter((field) => problem[field].trim() === '')
    .map((field) => [field, 'required-parameter-missing'])
  return Object.fromEntries([...faults, ...missing, ...fileFaults(problem.attachment)])
}

function fileFaults(file: File | null): [string, string][] {
  if (!file) return []
  if (!(attachmentTypes as readonly string[]).includes(file.type))
    return [['attachment', 'attachment-kind-not-accepted']]
  return file.size > MAX_ATTACHMENT_BYTES ? [['attachment', 'attachment-too-large']] : []
}
