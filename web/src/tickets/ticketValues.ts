import { change, type TicketStatus, type WireTicket } from '@rogatka/contract/tickets.ts'

/** Form values of a ticket. */
export type TicketValues = {
  title: string
  description: string
  status: TicketStatus
  handleBy: string
  /** Of a closed ticket; null: the time of saving. */
  closedAt: string | null
}

export const valuesOf = (ticket: WireTicket): TicketValues => ({
  title: ticket.title,
  description: ticket.description,
  status: ticket.status,
  handleBy: ticket.handleBy ?? '',
  closedAt: ticket.close_at,
})

/** Request body; an open ticket has no closing time. */
export const changeOf = ({ title, description, status, handleBy, closedAt }: TicketValues, version: number) => ({
  title: title.trim(),
  description: description.trim(),
  status,
  isOpen: status !== 'closed',
  handleBy: handleBy.trim() || null,
  closedAt: status === 'closed' ? closedAt : null,
  version,
})

/** Error codes by field. */
export function ticketErrors(values: TicketValues): Record<string, string> {
  const issues = change.body.safeParse(changeOf(values, 0)).error?.issues ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]))
}
