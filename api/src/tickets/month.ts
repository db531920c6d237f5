import type { MonthTicket, TicketMonth } from '@rogatka/contract/tickets.ts'
import {
  downtimeMinutes,
  intervalOfMonth,
  type Month,
  monthAt,
  runningTotals,
} from '@rogatka/domain/tickets/downtime.ts'
import type { Database } from '../core/database.ts'
import { newestReport, ticketMonths, ticketsOfInterval } from './queries.ts'

/** The failures of a month with their durations and running total, in minutes. */
export async function findMonthFailures(
  db: Database,
  month: Month,
  organization: string | null,
  now: Date,
): Promise<{ content: MonthTicket[]; totalDurationMinutes: number }> {
  const interval = intervalOfMonth(month)
  const tickets = await ticketsOfInterval(db, interval, organization, now)
  const downtimes = tickets.map(({ created_at, close_at }) => ({ reportedAt: created_at, removedAt: close_at }))
  const totals = runningTotals(downtimes, interval, now)
  const content = tickets.map((ticket, i) => ({
    ...ticket,
    durationMinutes: downtimeMinutes(downtimes[i] as (typeof downtimes)[number], now),
    totalDurationMinutes: totals[i] ?? 0,
  }))
  return { content, totalDurationMinutes: totals.at(-1) ?? 0 }
}

/** The requested month, else that of the newest report, else the current one. */
export async function ticketMonth(
  db: Database,
  query: { [K in keyof Month]?: number | undefined },
  organization: string | null,
  now: Date,
): Promise<TicketMonth> {
  const { year, month } = query
  const chosen =
    year !== undefined && month !== undefined ? { year, month } : monthAt((await newestReport(db, organization)) ?? now)
  return {
    ...chosen,
    asOf: now,
    ...(await findMonthFailures(db, chosen, organization, now)),
    months: [...(await ticketMonths(db, organization, now))],
  }
}
