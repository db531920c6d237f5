import { useNavigate, useSearch } from '@tanstack/react-router'
import { readVmsSearch, searchForStations, toggleGroup, type VmsSearch } from './search.ts'

/** The page's search in the URL, and functions that change it. */
export function useVmsSearch() {
  const search = readVmsSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const update = (next: (now: VmsSearch) => VmsSearch) =>
    void navigate({ to: '/vms', search: (now) => next(readVmsSearch(now)), replace: true })
  return {
    search,
    selectStations: (locations: readonly number[]) => update(() => searchForStations(locations)),
    toggle: (ids: readonly number[], id: number) => update((now) => toggleGroup(now, ids, id)),
  }
}
