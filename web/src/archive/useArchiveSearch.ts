import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ArchiveSearch, changeSearch, readArchiveSearch, type Step } from './search.ts'

/** The wizard's search in the URL, and functions that change it. */
export function useArchiveSearch() {
  const search = readArchiveSearch(useSearch({ strict: false }))
  const navigate = useNavigate()

  // Starts from the current URL, which may be newer than the rendered one.
  const update = (next: (current: ArchiveSearch) => ArchiveSearch, replace: boolean) =>
    void navigate({ to: '/archival', search: (current) => next(readArchiveSearch(current)), replace })

  return {
    search,
    /** Steps and pages create history entries; filters replace the current one. */
    goTo: (step: Step, changes: Partial<ArchiveSearch> = {}) =>
      update((current) => changeSearch(current, { ...changes, step }), false),
    /** Returns to the first step if a required field is missing. */
    reset: () => update((current) => changeSearch(current, { step: 1 }), true),
    change: (changes: Partial<ArchiveSearch>) =>
      update((current) => changeSearch(current, { step: current.step ?? 1, ...changes }), true),
    setPage: (page: number, replace = false) =>
      update((current) => ({ ...current, page: page > 1 ? page : undefined }), replace),
  }
}
