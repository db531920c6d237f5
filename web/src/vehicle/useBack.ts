import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useRouter, useRouterState } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type Source, vehicleQuery } from './useVehicle.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The previous history entry is the list from which the vehicle was opened. */
    fromList?: boolean
    /** The station to show if there is no list to return to. */
    station?: number
  }
}

/** Wizard step of the list. */
const LIST_STEP = { live: 3, archive: 4 } as const

const linkTo = (source: Source, { id, location, createdAt }: WireVehicle) => {
  const params = { id: String(id), locationId: String(location.id) }
  return source === 'live'
    ? ({ to: '/vehicle/$id/$locationId', params } as const)
    : ({ to: '/vehicleArch/$id/$locationId/$createdAt', params: { ...params, createdAt } } as const)
}

/** Opens a vehicle from its list; shows the list's data at once and refetches it. */
export function useOpenVehicle(source: Source) {
  const navigate = useNavigate()
  const client = useQueryClient()
  return useCallback(
    (vehicle: WireVehicle) => {
      const { id, location, createdAt } = vehicle
      // URLs of live vehicles do not contain the time.
      const key = { source, id, locationId: location.id, ...(source === 'archive' && { createdAt }) }
      client.setQueryData(vehicleQuery(key).queryKey, vehicle, { updatedAt: 0 })
      void navigate({
        ...linkTo(source, vehicle),
        search: { step: LIST_STEP[source] },
        state: { fromList: true },
      })
    },
    [navigate, client, source],
  )
}

/**
 * Returns from a vehicle to its list, with filters and position. Without history, for example from a shared link: to
 * the list's page, which restores the last search or shows the vehicle's station.
 */
export function useBack(source: Source) {
  const { history } = useRouter()
  const navigate = useNavigate()
  const { locationId } = useParams({ strict: false })
  const fromList = useRouterState({ select: ({ location }) => location.state.fromList === true })
  return () => {
    if (fromList) history.back()
    else if (source === 'live') void navigate({ to: '/', state: { station: Number(locationId) } })
    else void navigate({ to: '/archival', search: { step: LIST_STEP.archive } })
  }
}
