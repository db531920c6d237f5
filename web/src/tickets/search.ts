/** What the address of the failure reports holds: the month that is shown; absent, that of the newest report. */
export type TicketsSearch = { year?: number | undefined; month?: number | undefined }

const within = (value: unknown, least: number, most: number) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number >= least && number <= most ? number : undefined
}

/** Reads the address; a year without a month, or the other way round, is no month. */
export function readTicketsSearch(search: Record<string, unknown>): TicketsSearch {
  const year = within(search.year, 2000, 2100)
  const month = within(search.month, 1, 12)
  return year && month ? { year, month } : {}
}
