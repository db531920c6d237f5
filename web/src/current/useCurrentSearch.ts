import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { useNavigate, useRouter, useRouterState, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { session } from '../core/session.ts'
import { changeFilters } from '../vehicle/publicApi.ts'
import { type CurrentSearch, entryRedirect, readCurrentSearch, type Step } from './search.ts'

/** The last search, restored when a link without parameters leads home. */
let left: CurrentSearch = {}
session.subscribe(() => {
  if (session.get().token === null) left = {}
})

/** The wizard's search in the URL, and functions that change it. */
export function useCurrentSearch() {
  const asked = readCurrentSearch(useSearch({ strict: false }))
  const station = useRouterState({ select: ({ location }) => location.state.station })
  const navigate = useNavigate()
  const steppedBack = useSteppedBack()
  // Uses the redirect target at once, so that the page does not flash its default state.
  const entry = steppedBack ? null : entryRedirect(asked, left, station)
  const search = entry ?? asked

  const go = (next: CurrentSearch, replace: boolean) => {
    // Recorded here, because removing the last filter is intentional and must not restore the last search.
    left = next
    void navigate({ to: '/', search: next, replace })
  }

  // Once per URL: the page renders several times until the redirect is done.
  const [address, leading] = [JSON.stringify(asked), JSON.stringify(entry)]
  useEffect(() => {
    if (leading !== 'null') void navigate({ to: '/', search: JSON.parse(leading) as CurrentSearch, replace: true })
    else left = JSON.parse(address) as CurrentSearch
  }, [address, leading, navigate])

  return {
    search,
    /** Steps create history entries; filters replace the current one. */
    goTo: (step: Step, changes: Partial<VehicleFilters> = {}) =>
      go({ ...changeFilters(search, changes), step: step === 1 ? undefined : step }, false),
    reset: () => go({ ...search, step: undefined }, true),
    change: (changes: Partial<VehicleFilters>) => go(changeFilters(search, changes), true),
    setOrder: (order: Pick<CurrentSearch, 'orderByColumnName' | 'orderDirection'>) => go({ ...search, ...order }, true),
  }
}

/** Whether the current URL was reached by the browser's Back or Forward, within the wizard. */
function useSteppedBack(): boolean {
  const { history } = useRouter()
  const [steppedBack, setSteppedBack] = useState(false)
  useEffect(
    () => history.subscribe(({ action }) => setSteppedBack(['BACK', 'FORWARD', 'GO'].includes(action.type))),
    [history],
  )
  return steppedBack
}
