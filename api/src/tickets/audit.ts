import type { Ticket } from '@rogatka/contract/tickets.ts'

/** The audit record of a ticket: without its version. */
const ticketRecord = ({ version, ...ticket }: Ticket) => ticket

/** What the audit entry of a change says of the ticket; `before` is null for a new one. */
export const ticketChange = (before: Ticket | null, after: Ticket) => ({
  subject: after.number,
  ticketId: after.id,
  ...(before && { before: ticketRecord(before) }),
  after: ticketRecord(after),
})
