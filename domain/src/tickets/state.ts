import type { TicketStatus } from '@rogatka/contract/tickets.ts'
import { MINUTE_MS } from '../core/time.ts'

export type TicketState = { status: TicketStatus; closedAt: Date | null }

/**
 * Any change of status is allowed. Closing sets the closing time: the specified one, else now; of a closed ticket it is
 * kept unless specified. Reopening clears it.
 */
export function stateAfter(
  before: TicketState | null,
  status: TicketStatus,
  requestedAt: Date | null,
  now: Date,
): TicketState {
  if (status !== 'closed') return { status, closedAt: null }
  return { status, closedAt: requestedAt ?? before?.closedAt ?? now }
}

type StateError = 'removed-before-reported' | 'time-in-the-future'

/** Error of a removal date, null if valid; allows clocks to differ by a few minutes. */
export function stateError({ closedAt }: TicketState, createdAt: Date, now: Date, aheadMinutes = 5): StateError | null {
  if (!closedAt) return null
  if (closedAt < createdAt) return 'removed-before-reported'
  return closedAt.getTime() > now.getTime() + aheadMinutes * MINUTE_MS ? 'time-in-the-future' : null
}
