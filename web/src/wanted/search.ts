/** What the address of a list holds: its page, whose entries are shown, and of which one the hits. */
export type WantedSearch = {
  page?: number | undefined
  userId?: number | undefined
  hits?: number | undefined
}

const positive = (value: unknown) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** Reads the address; what is malformed is left out, and the first page stands for itself. */
export function readWantedSearch({ page, userId, hits }: Record<string, unknown>): WantedSearch {
  const wanted = positive(page)
  return { page: wanted === 1 ? undefined : wanted, userId: positive(userId), hits: positive(hits) }
}
