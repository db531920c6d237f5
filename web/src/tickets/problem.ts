import { newTicket } from '@rogatka/contract/tickets.ts'
import type { WireSelf } from '@rogatka/contract/users-self.ts'
import { filesError, formOf } from './files.ts'

/** Form values of a problem report. */
export type Problem = {
  name: string
  email: string
  subject: string
  /** Ids as select values; null: none. */
  station: string | null
  lane: string | null
  sign: string
  message: string
  attachments: File[]
}

/** Technical context of the report, sent for diagnosis. */
export type ProblemContext = { page: string | null; version: string | null; listRequests: number }

/** Initial values; name and e-mail from the user's account. */
export const problemOf = ({ firstName, lastName, email }: WireSelf): Problem => ({
  name: [firstName, lastName].filter(Boolean).join(' '),
  email: email ?? '',
  subject: '',
  station: null,
  lane: null,
  sign: '',
  message: '',
  attachments: [],
})

/** API field of each form field. */
export const FIELDS = {
  name: 'reporterName',
  email: 'reporterEmail',
  subject: 'title',
  station: 'locationId',
  lane: 'laneNumber',
  sign: 'sign',
  message: 'description',
  attachments: 'attachment',
}

/** Empty fields are omitted, so that the server applies its defaults. */
const ticketOf = ({ name, email, subject, station, lane, sign, message }: Problem) => ({
  description: message.trim(),
  reporterName: name.trim(),
  reporterEmail: email.trim(),
  ...(subject.trim() && { title: subject.trim() }),
  ...(station !== null && { locationId: Number(station) }),
  ...(station !== null && lane !== null && { laneNumber: Number(lane) }),
  ...(sign.trim() && { sign: sign.trim() }),
})

/** Request body: JSON, or a form if there are files. */
export function toRequestBody(problem: Problem, { page, version, listRequests }: ProblemContext) {
  const ticket = {
    ...ticketOf(problem),
    ...(page !== null && { page: page.slice(0, 500) }),
    ...(version !== null && { version: version.slice(0, 60) }),
    listRequests,
  }
  if (problem.attachments.length === 0) return ticket
  const form = formOf(problem.attachments)
  for (const [name, value] of Object.entries(ticket)) form.append(name, String(value))
  return form
}

/** Error codes by field; the server checks the content of files. */
export function problemErrors(problem: Problem): Record<string, string> {
  const ticket = ticketOf(problem)
  const codes = new Map(newTicket.safeParse(ticket).error?.issues.map(({ path, message }) => [path[0], message]))
  const errors = Object.entries(FIELDS).flatMap(([field, path]) => {
    const code = codes.get(path)
    return code ? [[field, code]] : []
  })
  const missing = (['name', 'email', 'message'] as const)
    .filter((field) => problem[field].trim() === '')
    .map((field) => [field, 'required-parameter-missing'])
  const files = filesError(problem.attachments)
  return Object.fromEntries([...errors, ...missing, ...(files ? [['attachments', files]] : [])])
}
