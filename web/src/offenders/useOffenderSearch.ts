import { useNavigate, useSearch } from '@tanstack/react-router'
import { changeSearch, type OffenderSearch, readOffenderSearch } from './search.ts'

/** The search in the URL, and functions that change it. */
export function useOffenderSearch() {
  const search = readOffenderSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  return {
    search,
    /** Filters replace the history entry, pages create one. */
    change: (changes: Partial<OffenderSearch>) =>
      void navigate({
        to: '/offenders',
        search: (current) => changeSearch(readOffenderSearch(current), changes),
        replace: !('page' in changes),
      }),
    /** Closes the chosen vehicle or carrier and returns the focus to its row. */
    close: () => {
      document.querySelector<HTMLElement>('[data-offender][aria-current]')?.focus()
      void navigate({
        to: '/offenders',
        search: (current) => ({ ...readOffenderSearch(current), id: undefined, carrier: undefined }),
      })
    },
  }
}
