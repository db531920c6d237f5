import { type HealthKind, healthKinds } from '@rogatka/contract/tickets.ts'

/**
 * URL parameters of the failure reports: the displayed month, absent for the newest one; or the filters across all
 * months.
 */
export type TicketsSearch = {
  year?: number | undefined
  month?: number | undefined
  open?: true | undefined
  station?: number | undefined
  page?: number | undefined
}

const integerIn = (value: unknown, min: number, max: number) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number >= min && number <= max ? number : undefined
}

/** Parses the URL; a year without a month, or a month without a year, is ignored. */
export function readTicketsSearch(search: Record<string, unknown>): TicketsSearch {
  const station = integerIn(search.station, 1, 8191)
  const open = search.open === true || search.open === 'true' ? true : undefined
  if (open || station) {
    const page = integerIn(search.page, 2, 1_000_000)
    return { ...(open && { open }), ...(station && { station }), ...(page && { page }) }
  }
  const year = integerIn(search.year, 2000, 2100)
  const month = integerIn(search.month, 1, 12)
  return year && month ? { year, month } : {}
}

/** URL parameters of station health: the month of the availability, absent for this one; and the selected check. */
export type HealthSearch = {
  year?: number | undefined
  month?: number | undefined
  station?: number | undefined
  check?: HealthKind | undefined
}

/** Parses the URL; what is incomplete is ignored. */
export function readHealthSearch(search: Record<string, unknown>): HealthSearch {
  const { year, month } = readTicketsSearch({ year: search.year, month: search.month })
  const station = integerIn(search.station, 1, 8191)
  const check = healthKinds.find((kind) => kind === search.check)
  return { ...(year && { year, month }), ...(station && check && { station, check }) }
}
