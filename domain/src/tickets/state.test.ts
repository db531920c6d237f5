import { type TicketStatus, ticketStatuses } from '@rogatka/contract/tickets.ts'
import { expect, test } from 'vitest'
import { stateAfter, stateError } from './state.ts'

const NOW = new Date('2026-10-20T08:00Z')
const EARLIER = new Date('2026-10-19T08:00Z')

const pairs = ticketStatuses.flatMap((from) => ticketStatuses.map((to): [TicketStatus, TicketStatus] => [from, to]))

test.each(pairs)('from %s to %s: has a removal time only if closed', (from, to) => {
  const before = { status: from, closedAt: from === 'closed' ? EARLIER : null }
  const expected = to === 'closed' ? (from === 'closed' ? EARLIER : NOW) : null
  expect(stateAfter(before, to, null, NOW)).toEqual({ status: to, closedAt: expected })
})

test('a removal time applies only to a closed ticket', () => {
  expect(stateAfter(null, 'closed', EARLIER, NOW).closedAt).toEqual(EARLIER)
  expect(stateAfter({ status: 'closed', closedAt: NOW }, 'closed', EARLIER, NOW).closedAt).toEqual(EARLIER)
  expect(stateAfter(null, 'open', EARLIER, NOW).closedAt).toBeNull()
  expect(stateAfter(null, 'closed', null, NOW).closedAt).toEqual(NOW)
})

test('rejects a removal before the report or in the future', () => {
  const at = (closedAt: Date | null) => ({ status: 'closed' as const, closedAt })
  expect(stateError(at(EARLIER), NOW, NOW)).toBe('removed-before-reported')
  expect(stateError(at(new Date(NOW.getTime() + 301_000)), EARLIER, NOW)).toBe('time-in-the-future')
  expect(stateError(at(new Date(NOW.getTime() + 300_000)), EARLIER, NOW)).toBeNull()
  expect(stateError(at(EARLIER), EARLIER, NOW)).toBeNull()
  expect(stateError(at(null), EARLIER, NOW)).toBeNull()
})
