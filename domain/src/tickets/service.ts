import type { TicketStatus } from '@rogatka/contract/tickets.ts'

/** What the ticket service says of a ticket: the type of its state, and whether somebody has taken it. */
type ServiceState = { type: string; hasOwner: boolean }

/** The ticket service knows more states than the portal: what waits for somebody is taken too, what was merged is over. */
export function statusOfService({ type, hasOwner }: ServiceState): TicketStatus {
  if (/^(closed|merged|removed)/.test(type)) return 'closed'
  if (/^pending/.test(type)) return 'in_progress'
  return hasOwner ? 'in_progress' : 'open'
}

/** The type of the state that a ticket of the portal gets there; taken is an open one with an owner. */
export const serviceTypeOf = (status: TicketStatus, isNew: boolean): 'new' | 'open' | 'closed' =>
  status === 'closed' ? 'closed' : status === 'open' && isNew ? 'new' : 'open'

const MARKER = /\[WIM-([0-9a-f]{12})\]/

/** The title as it stands in the ticket service: the marker tells the portal's ticket from all others. */
export const titleWithMarker = (title: string, marker: string): string => `${title.slice(0, 200)} [WIM-${marker}]`

/** The marker in a title; null where there is none. */
export const markerIn = (title: string): string | null => MARKER.exec(title)?.[1] ?? null
