import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { useNavigate, useRouter, useRouterState, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { session } from '../core/session.ts'
import { changeFilters } from '../vehicle/publicApi.ts'
import { type CurrentSearch, entryRedirect, readCurrentSearch, type Step } from './search.ts'

/** Where the operator last stood, for when they come home by a link that knows nothing of it. */
let left: CurrentSearch = {}
session.subscribe(() => {
  if (session.get().token === null) left = {}
})

/** The address of the live list's wizard and the ways to change it. */
export function useCurrentSearch() {
  const asked = readCurrentSearch(useSearch({ strict: false }))
  const station = useRouterState({ select: ({ location }) => location.state.station })
  const navigate = useNavigate()
  const steppedBack = useSteppedBack()
  // The page shows at once what its address is about to say: nothing of it is taken away in between.
  const entry = steppedBack ? null : entryRedirect(asked, left, station)
  const search = entry ?? asked

  const go = (next: CurrentSearch, replace: boolean) => {
    // Whoever takes every filter away means it.
    left = next
    void navigate({ to: '/', search: next, replace })
  }

  // Once for each address: until the next one stands, this one is rendered again and again.
  const [address, leading] = [JSON.stringify(asked), JSON.stringify(entry)]
  useEffect(() => {
    if (leading !== 'null') void navigate({ to: '/', search: JSON.parse(leading) as CurrentSearch, replace: true })
    else left = JSON.parse(address) as CurrentSearch
  }, [address, leading, navigate])

  return {
    search,
    /** Steps are places to come back to; filters are not. */
    goTo: (step: Step, changes: Partial<VehicleFilters> = {}) =>
      go({ ...changeFilters(search, changes), step: step === 1 ? undefined : step }, false),
    reset: () => go({ ...search, step: undefined }, true),
    change: (changes: Partial<VehicleFilters>) => go(changeFilters(search, changes), true),
    setOrder: (order: Pick<CurrentSearch, 'orderByColumnName' | 'orderDirection'>) => go({ ...search, ...order }, true),
  }
}

/** Whether the operator came to this address by the browser's Back or Forward, within the wizard. */
function useSteppedBack(): boolean {
  const { history } = useRouter()
  const [steppedBack, setSteppedBack] = useState(false)
  useEffect(
    () => history.subscribe(({ action }) => setSteppedBack(['BACK', 'FORWARD', 'GO'].includes(action.type))),
    [history],
  )
  return steppedBack
}
