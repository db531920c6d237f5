import { serverNow } from '../core/clock.ts'
import { session } from '../core/session.ts'
import { lastDays } from '../ui/dateRange.ts'
import { type ArchiveSearch, RESULT } from './search.ts'

/** Where the operator last stood, for when they come by a link that knows nothing of it. */
let lastSearch: ArchiveSearch = {}
session.subscribe(() => {
  if (session.get().token === null) lastSearch = {}
})

const hasFilters = ({ step: _, ...filters }: ArchiveSearch) =>
  Object.values(filters).some((value) => value !== undefined)

/** The last 24 hours. */
const lastDay = () => {
  const { start, end } = lastDays(1, serverNow())
  return { dateTimeStart: start, dateTimeEnd: end }
}

/**
 * Where an address of the archive leads instead; null: it stands. One without filters leads back to where the operator
 * was, within the archive to its first step, and the first time to the last 24 hours.
 */
export function entryRedirect(search: ArchiveSearch, within: boolean): ArchiveSearch | null {
  // The wizard writes its step, so a bare step within it is an operator who took every filter away.
  if (hasFilters(search) || (within && search.step)) {
    lastSearch = search
    const isGiven = search.step || search.dateTimeStart || search.dateTimeEnd
    return isGiven ? null : { ...search, ...lastDay(), step: 1 }
  }
  if (!hasFilters(lastSearch)) return { ...lastDay(), step: 1 }
  return within ? { ...lastSearch, step: 1, page: undefined } : { ...lastSearch, step: search.step ?? lastSearch.step }
}

/** The address behind `/archival/result`: the same, or where the operator was, at its result. */
export const resultRedirect = (search: ArchiveSearch): ArchiveSearch => ({
  ...(entryRedirect({ ...search, step: RESULT }, false) ?? search),
  step: RESULT,
})
