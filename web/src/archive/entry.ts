import { serverNow } from '../core/clock.ts'
import { session } from '../core/session.ts'
import { lastDays } from '../ui/dateRange.ts'
import { type ArchiveSearch, RESULT } from './search.ts'

/** The last search, restored by links without parameters. */
let lastSearch: ArchiveSearch = {}
session.subscribe(() => {
  if (session.get().token === null) lastSearch = {}
})

const hasFilters = ({ step: _, ...filters }: ArchiveSearch) =>
  Object.values(filters).some((value) => value !== undefined)

const lastDay = () => {
  const { start, end } = lastDays(1, serverNow())
  return { dateTimeStart: start, dateTimeEnd: end }
}

/**
 * Redirect of an archive URL; null: none. A URL without filters restores the last search, within the archive at step 1;
 * on the first visit it is set to the last 24 hours. `isWithin`: the user is already in the archive.
 */
export function entryRedirect(search: ArchiveSearch, isWithin: boolean): ArchiveSearch | null {
  // The wizard writes its step, so within the archive a step without filters means that the user removed all filters.
  if (hasFilters(search) || (isWithin && search.step)) {
    lastSearch = search
    const hasStepOrRange = search.step || search.dateTimeStart || search.dateTimeEnd
    return hasStepOrRange ? null : { ...search, ...lastDay(), step: 1 }
  }
  if (!hasFilters(lastSearch)) return { ...lastDay(), step: 1 }
  return isWithin
    ? { ...lastSearch, step: 1, page: undefined }
    : { ...lastSearch, step: search.step ?? lastSearch.step }
}

/** Redirect of `/archival/result`: this search or the last one, at the result. */
export const resultRedirect = (search: ArchiveSearch): ArchiveSearch => ({
  ...(entryRedirect({ ...search, step: RESULT }, false) ?? search),
  step: RESULT,
})
