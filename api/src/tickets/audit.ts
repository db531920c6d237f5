import type { Ticket } from '@rogatka/contract/tickets.ts'

/** What the audit log keeps of a ticket: all but the counter of its changes. */
const ticketRecord = ({ version, ...ticket }: Ticket) => ticket

/** What the audit entry of a change says of the ticket; `before` is null for a new one. */
export const ticketChange = (before: Ticket | null, after: Ticket) => ({
  subject: after.number,
  ticketId: after.id,
  ...(before && { before: ticketRecord(before) }),
  after: ticketRecord(after),
})
