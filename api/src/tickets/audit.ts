import type { Ticket } from '@rogatka/contract/tickets.ts'

/** What the audit log keeps of a ticket: all but the counter of its changes. */
export const ticketRecord = ({ version, ...ticket }: Ticket) => ticket
