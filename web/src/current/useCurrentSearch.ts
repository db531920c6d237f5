import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { useNavigate, useRouter, useRouterState, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { session } from '../core/session.ts'
import { changeFilters } from '../vehicle/publicApi.ts'
import { type CurrentSearch, entryRedirect, readCurrentSearch, type Step } from './search.ts'

/** The last search, restored when a link without parameters leads home. */
let lastSearch: CurrentSearch = {}
session.subscribe(() => {
  if (session.get().token === null) lastSearch = {}
})

/** The wizard's search in the URL, and functions that change it. */
export function useCurrentSearch() {
  const urlSearch = readCurrentSearch(useSearch({ strict: false }))
  const station = useRouterState({ select: ({ location }) => location.state.station })
  const navigate = useNavigate()
  const isHistoryNavigation = useIsHistoryNavigation()
  // Uses the redirect target at once, so that the page does not flash its default state.
  const entry = isHistoryNavigation ? null : entryRedirect(urlSearch, lastSearch, station)
  const search = entry ?? urlSearch

  // Newer than the rendered search while a change of it is not rendered yet.
  const newest = useRef(search)
  const update = (next: (current: CurrentSearch) => CurrentSearch, replace: boolean) => {
    newest.current = next(newest.current)
    // Recorded here, because removing the last filter is intentional and must not restore the last search.
    lastSearch = newest.current
    void navigate({ to: '/', search: newest.current, replace })
  }

  // Once per URL: the page renders several times until the redirect is done.
  const [urlKey, redirectKey] = [JSON.stringify(urlSearch), JSON.stringify(entry)]
  useEffect(() => {
    const isRedirected = redirectKey !== 'null'
    newest.current = JSON.parse(isRedirected ? redirectKey : urlKey) as CurrentSearch
    if (isRedirected) void navigate({ to: '/', search: newest.current, replace: true })
    else lastSearch = newest.current
  }, [urlKey, redirectKey, navigate])

  return {
    search,
    /** Steps create history entries; filters replace the current one. */
    goTo: (step: Step, changes: Partial<VehicleFilters> = {}) =>
      update((current) => ({ ...changeFilters(current, changes), step: step === 1 ? undefined : step }), false),
    reset: () => update((current) => ({ ...current, step: undefined }), true),
    change: (changes: Partial<VehicleFilters>) => update((current) => changeFilters(current, changes), true),
    setOrder: (order: Pick<CurrentSearch, 'orderByColumnName' | 'orderDirection'>) =>
      update((current) => ({ ...current, ...order }), true),
  }
}

/** Whether the current URL was reached by the browser's Back or Forward, within the wizard. */
function useIsHistoryNavigation(): boolean {
  const { history } = useRouter()
  const [isHistoryNavigation, setIsHistoryNavigation] = useState(false)
  useEffect(
    () => history.subscribe(({ action }) => setIsHistoryNavigation(['BACK', 'FORWARD', 'GO'].includes(action.type))),
    [history],
  )
  return isHistoryNavigation
}
