import type { WireTicketMonth } from '@rogatka/contract/tickets.ts'

type Months = WireTicketMonth['months']

/**
 * The years with reports, and the months of one year from the first to the last report, including empty ones in
 * between.
 */
export function monthChoices(months: Months, year: number): { years: number[]; months: number[] } {
  const years = [...new Set(months.map((other) => other.year))]
  const ofYear = months.filter((other) => other.year === year).map(({ month }) => month)
  const [first, last] = [Math.min(...ofYear), Math.max(...ofYear)]
  return { years, months: ofYear.length > 0 ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : [] }
}

/** The month to show for a selected year: the same month if it has reports, else the nearest that has. */
export function monthIn(months: Months, year: number, month: number): number {
  const withReports = months.filter((other) => other.year === year && other.tickets > 0).map((other) => other.month)
  const [first = month, ...others] = withReports
  return others.reduce((best, other) => (Math.abs(other - month) < Math.abs(best - month) ? other : best), first)
}
