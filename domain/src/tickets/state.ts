import type { TicketStatus } from '@rogatka/contract/tickets.ts'

export type TicketState = { status: TicketStatus; closedAt: Date | null }

/**
 * A ticket may go from any status to any other. Closing notes when: the time that was given, else now; of one that is
 * closed already the time stays unless another is given. Reopening forgets it.
 */
export function stateAfter(
  before: TicketState | null,
  status: TicketStatus,
  given: Date | null,
  now: Date,
): TicketState {
  if (status !== 'closed') return { status, closedAt: null }
  return { status, closedAt: given ?? before?.closedAt ?? now }
}

type StateError = 'removed-before-reported' | 'time-in-the-future'

/** What is wrong with a time of removal; clocks may differ by a few minutes. */
export function stateError({ closedAt }: TicketState, createdAt: Date, now: Date, aheadMinutes = 5): StateError | null {
  if (!closedAt) return null
  if (closedAt < createdAt) return 'removed-before-reported'
  return closedAt.getTime() > now.getTime() + aheadMinutes * 60_000 ? 'time-in-the-future' : null
}
