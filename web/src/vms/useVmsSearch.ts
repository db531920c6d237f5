import { useNavigate, useSearch } from '@tanstack/react-router'
import { chooseStations, readVmsSearch, toggleGroup, type VmsSearch } from './search.ts'

/** The page's search in the URL, and functions that change it. */
export function useVmsSearch() {
  const search = readVmsSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const go = (next: (now: VmsSearch) => VmsSearch) =>
    void navigate({ to: '/vms', search: (now) => next(readVmsSearch(now)), replace: true })
  return {
    search,
    choose: (locations: readonly number[]) => go(() => chooseStations(locations)),
    toggle: (ids: readonly number[], id: number) => go((now) => toggleGroup(now, ids, id)),
  }
}
