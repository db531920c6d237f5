import { type Interval, MINUTE_MS } from '../core/time.ts'
import { fromWarsaw, monthOf, startOfMonth, toWarsaw } from '../core/warsaw.ts'

/** From report to removal of a failure; null while open. */
type Downtime = { reportedAt: Date; removedAt: Date | null }

/** Calendar month, from 1. */
export type Month = { year: number; month: number }

/** The month in Polish time, which may be an hour shorter or longer. */
export const intervalOfMonth = ({ year, month }: Month): Interval => ({
  from: new Date(fromWarsaw(startOfMonth(year, month - 1))),
  to: new Date(fromWarsaw(startOfMonth(year, month))),
})

/** The month of an instant in Polish time. */
export const monthAt = (at: Date): Month => {
  const { year, month } = monthOf(toWarsaw(at.getTime()))
  return { year, month: month + 1 }
}

const endOf = ({ reportedAt, removedAt }: Downtime, now: Date): number =>
  Math.max(reportedAt.getTime(), (removedAt ?? now).getTime())

const fullMinutes = (ms: number): number => Math.floor(ms / MINUTE_MS)

/** Full minutes from report to removal, or to now while open; at least 0. */
export const downtimeMinutes = (downtime: Downtime, now: Date): number =>
  fullMinutes(endOf(downtime, now) - downtime.reportedAt.getTime())

/**
 * Full minutes of the interval covered by each failure or those before it in the list; overlaps count once. The last
 * value is the total.
 */
export function runningTotals(downtimes: readonly Downtime[], { from, to }: Interval, now: Date): number[] {
  // Disjoint intervals, sorted.
  let covered: [number, number][] = []
  return downtimes.map((downtime) => {
    let begin = Math.max(downtime.reportedAt.getTime(), from.getTime())
    let end = Math.min(endOf(downtime, now), to.getTime())
    if (end > begin) {
      const disjoint = covered.filter(([first, last]) => last < begin || first > end)
      for (const [first, last] of covered) {
        if (last < begin || first > end) continue
        begin = Math.min(begin, first)
        end = Math.max(end, last)
      }
      covered = [...disjoint, [begin, end]]
    }
    return fullMinutes(covered.reduce((sum, [first, last]) => sum + last - first, 0))
  })
}
