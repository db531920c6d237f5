/** Number of pages, at least 1. */
export const pageCount = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))

/** Parses a page number from 1 to `count`; null if invalid. */
export function parsePage(text: string, count: number): number | null {
  const trimmed = text.trim()
  if (!/^\d{1,9}$/.test(trimmed)) return null
  const page = Number(trimmed)
  return page >= 1 && page <= count ? page : null
}

/** Placeholder for skipped pages. */
export const GAP = 'gap'

/** Page links around the current page, with first and last: 1 … 7 8 9 … 1241. A gap of one page shows that page. */
export function visiblePages(page: number, count: number, around = 1): (number | typeof GAP)[] {
  // Keeps the number of links constant at the edges.
  const from = Math.max(1, Math.min(page - around, count - 2 * around - 2))
  const to = Math.min(count, Math.max(page + around, 2 * around + 3))
  const middle = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  return [...pagesBefore(from), ...middle, ...pagesAfter(to, count)]
}

const pagesBefore = (from: number): (number | typeof GAP)[] =>
  from <= 1 ? [] : from === 2 ? [1] : from === 3 ? [1, 2] : [1, GAP]

const pagesAfter = (to: number, count: number): (number | typeof GAP)[] =>
  to >= count ? [] : to === count - 1 ? [count] : to === count - 2 ? [count - 1, count] : [GAP, count]
