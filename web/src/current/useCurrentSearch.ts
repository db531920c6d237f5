import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { session } from '../core/session.ts'
import { changeFilters } from '../vehicle/useVehicleFilters.ts'
import { type CurrentSearch, readCurrentSearch, type Step } from './search.ts'

/** Where the operator last stood, for when they come home by a link that knows nothing of it. */
let left: CurrentSearch = {}
session.subscribe(() => {
  if (session.get().token === null) left = {}
})

const isBare = (search: CurrentSearch) => Object.values(search).every((value) => value === undefined)

/** The address of the live list's wizard and the ways to change it. */
export function useCurrentSearch() {
  const search = readCurrentSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const [returning, setReturning] = useState(() => isBare(search) && !isBare(left))

  const go = (next: CurrentSearch, replace: boolean) => void navigate({ to: '/', search: next, replace })

  useEffect(() => {
    if (returning) {
      setReturning(false)
      void navigate({ to: '/', search: left, replace: true })
    } else left = search
  })

  return {
    search,
    /** The address is about to be replaced by where the operator was. */
    returning,
    /** Steps are places to come back to; filters are not. */
    goTo: (step: Step, changes: Partial<VehicleFilters> = {}) =>
      go({ ...changeFilters(search, changes), step: step === 1 ? undefined : step }, false),
    reset: () => go({ ...search, step: undefined }, true),
    change: (changes: Partial<VehicleFilters>) => go(changeFilters(search, changes), true),
    setOrder: (order: Pick<CurrentSearch, 'orderByColumnName' | 'orderDirection'>) => go({ ...search, ...order }, true),
  }
}
