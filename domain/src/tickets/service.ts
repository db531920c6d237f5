import type { TicketStatus } from '@rogatka/contract/tickets.ts'

/** Ticket state in the ticket service: the type of its state, and whether it has an owner. */
type ServiceState = { type: string; hasOwner: boolean }

/** The ticket service has more states: pending ones count as in progress, merged ones as closed. */
export function statusOfService({ type, hasOwner }: ServiceState): TicketStatus {
  if (/^(closed|merged|removed)/.test(type)) return 'closed'
  if (/^pending/.test(type)) return 'in_progress'
  return hasOwner ? 'in_progress' : 'open'
}

/** State type in the ticket service; in progress is an open ticket with an owner. */
export const serviceTypeOf = (status: TicketStatus, isNew: boolean): 'new' | 'open' | 'closed' =>
  status === 'closed' ? 'closed' : status === 'open' && isNew ? 'new' : 'open'

const MARKER = /\[WIM-([0-9a-f]{12})\]/

/** Title in the ticket service, with a marker that identifies the portal's ticket. */
export const titleWithMarker = (title: string, marker: string): string => `${title.slice(0, 200)} [WIM-${marker}]`

/** The marker in a title; null without one. */
export const markerIn = (title: string): string | null => MARKER.exec(title)?.[1] ?? null
