import {
  type ArchiveFilters,
  missingIssues,
  openSearch,
  type PartialFilters,
  rangeIssues,
  savedFilters,
  saveSearch,
} from '@rogatka/contract/archive.ts'
import { plateSearchHandlers } from '../core/plate-search-handlers.ts'
import { resolveSearch } from '../core/plate-searches.ts'
import { refuseFields } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'

const ARCHIVE = { page: 'archive', filters: savedFilters }

/** Registers saved searches of the archive. */
export function savedSearchRoutes(api: Api): void {
  const { save, open } = plateSearchHandlers(api, ARCHIVE)
  route(api, saveSearch, save)
  route(api, openSearch, open)
}

type AddressFilters = PartialFilters & { search?: string | undefined }

/**
 * The filters of an archive call, with those of the saved search that it names.
 * @throws 400 if a required filter is missing or a range is wrong, 404 `search-not-found`
 */
export async function archiveFiltersOf<Q extends AddressFilters>(
  api: Api,
  {
    session,
    now,
    query: { search: searchId, ...query },
  }: Pick<Call<typeof saveSearch>, 'session' | 'now'> & { query: Q },
): Promise<Omit<Q, 'search'> & ArchiveFilters> {
  const filters = await resolveSearch(
    api,
    ARCHIVE,
    { session, now },
    { searchId, query, plates: ['plateLpr', 'plates'] },
  )
  const issues = [...missingIssues(filters as PartialFilters), ...rangeIssues(filters as PartialFilters)]
  if (issues.length > 0)
    throw refuseFields(
      400,
      issues.map(({ path, message }) => ({ path, code: message })),
    )
  return filters as Omit<Q, 'search'> & ArchiveFilters
}
