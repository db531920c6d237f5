/** How many pages so many things take; at least one. */
export const pageCount = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))

/** What was typed as a page: a whole number from 1 to the count, else null. */
export function parsePage(text: string, count: number): number | null {
  const plain = text.trim()
  if (!/^\d{1,9}$/.test(plain)) return null
  const page = Number(plain)
  return page >= 1 && page <= count ? page : null
}

/** Stands for the pages that are left out. */
export const GAP = 'gap'

/** Pages to offer around the current one, with the first and the last: 1 … 7 8 9 … 1241. A gap of one page is that page. */
export function visiblePages(page: number, count: number, around = 1): (number | typeof GAP)[] {
  // So many around the current one that the row is as long at the edges as in the middle.
  const from = Math.max(1, Math.min(page - around, count - 2 * around - 2))
  const to = Math.min(count, Math.max(page + around, 2 * around + 3))
  const middle = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  return [...upTo(from), ...middle, ...beyond(to, count)]
}

const upTo = (from: number): (number | typeof GAP)[] =>
  from <= 1 ? [] : from === 2 ? [1] : from === 3 ? [1, 2] : [1, GAP]

const beyond = (to: number, count: number): (number | typeof GAP)[] =>
  to >= count ? [] : to === count - 1 ? [count] : to === count - 2 ? [count - 1, count] : [GAP, count]
