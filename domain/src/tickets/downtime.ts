import { fromWarsaw, monthOf, startOfMonth, toWarsaw } from '../core/warsaw.ts'

const MINUTE = 60_000

/** From the report of a failure to its removal; null while it lasts. */
type Downtime = { reportedAt: Date; removedAt: Date | null }

/** Half-open. */
export type Interval = { from: Date; to: Date }

/** A month of the calendar, counted from 1. */
export type Month = { year: number; month: number }

/** The month by the clock of Warsaw, which may be an hour shorter or longer than its days. */
export const intervalOfMonth = ({ year, month }: Month): Interval => ({
  from: new Date(fromWarsaw(startOfMonth(year, month - 1))),
  to: new Date(fromWarsaw(startOfMonth(year, month))),
})

/** The Warsaw month of an instant. */
export const monthAt = (at: Date): Month => {
  const { year, month } = monthOf(toWarsaw(at.getTime()))
  return { year, month: month + 1 }
}

const endOf = ({ reportedAt, removedAt }: Downtime, now: Date): number =>
  Math.max(reportedAt.getTime(), (removedAt ?? now).getTime())

const fullMinutes = (ms: number): number => Math.floor(ms / MINUTE)

/** Full minutes from report to removal, of an open failure to now; never below 0. */
export const downtimeMinutes = (downtime: Downtime, now: Date): number =>
  fullMinutes(endOf(downtime, now) - downtime.reportedAt.getTime())

/**
 * For each failure the full minutes of the span in which it or one before it in the list lasted: what overlaps is counted
 * once. The last is the total.
 */
export function runningTotals(downtimes: readonly Downtime[], { from, to }: Interval, now: Date): number[] {
  // Spans that touch nowhere, in order.
  let covered: [number, number][] = []
  return downtimes.map((downtime) => {
    let begin = Math.max(downtime.reportedAt.getTime(), from.getTime())
    let end = Math.min(endOf(downtime, now), to.getTime())
    if (end > begin) {
      const apart = covered.filter(([first, last]) => last < begin || first > end)
      for (const [first, last] of covered) {
        if (last < begin || first > end) continue
        begin = Math.min(begin, first)
        end = Math.max(end, last)
      }
      covered = [...apart, [begin, end]]
    }
    return fullMinutes(covered.reduce((sum, [first, last]) => sum + last - first, 0))
  })
}
