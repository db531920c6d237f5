import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ArchiveSearch, changeSearch, readArchiveSearch, type Step } from './search.ts'

/** The address of the archive's wizard and the ways to change it. */
export function useArchiveSearch() {
  const search = readArchiveSearch(useSearch({ strict: false }))
  const navigate = useNavigate()

  // From the newest address, which may be newer than what is on the screen.
  const go = (next: (now: ArchiveSearch) => ArchiveSearch, replace: boolean) =>
    void navigate({ to: '/archival', search: (now) => next(readArchiveSearch(now)), replace })

  return {
    search,
    /** Steps and pages are places to come back to; filters are not. */
    goTo: (step: Step, changes: Partial<ArchiveSearch> = {}) =>
      go((now) => changeSearch(now, { ...changes, step }), false),
    /** Back to the first step, where something needed is missing. */
    reset: () => go((now) => changeSearch(now, { step: 1 }), true),
    change: (changes: Partial<ArchiveSearch>) =>
      go((now) => changeSearch(now, { step: now.step ?? 1, ...changes }), true),
    setPage: (page: number, replace = false) => go((now) => ({ ...now, page: page > 1 ? page : undefined }), replace),
  }
}
