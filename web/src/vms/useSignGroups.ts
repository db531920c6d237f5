import { contents, groups, type WireSign, type WireSignGroup } from '@rogatka/contract/vms.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../core/call.ts'
import { queryClient } from '../core/queryClient.ts'
import { useBuild } from '../core/useBuild.ts'
import { useRight } from '../core/useSelf.ts'

/** Poll interval of the page of signs; the server returns its latest poll of the signs. */
const POLL_MS = 1_000
/** Poll interval elsewhere: that of the server's polls. */
const BACKGROUND_POLL_MS = 5_000

export const GROUPS_KEY = ['vms', 'groups'] as const

const keyOf = (locations: readonly number[]) => [...GROUPS_KEY, [...locations].sort((a, b) => a - b)] as const

const groupsQuery = (locations: readonly number[]) =>
  queryOptions({
    queryKey: keyOf(locations),
    queryFn: ({ signal }) =>
      call(groups, { query: locations.length > 0 ? { locations: [...locations] } : {}, signal, background: true }),
    staleTime: 0,
  })

const ofStations = (all: WireSignGroup[] | undefined, locations: readonly number[]) =>
  all?.filter(({ group }) => locations.includes(group.location.id))

/** Groups of these stations, of all if empty, polled while mounted. */
export const useSignGroups = (locations: readonly number[]) =>
  useQuery({
    ...groupsQuery(locations),
    refetchInterval: POLL_MS,
    // While loading: the cached groups of all stations.
    placeholderData: () => ofStations(queryClient.getQueryData<WireSignGroup[]>(keyOf([])), locations),
  })

/** All groups, for users with the right. Also loaded on the home page, so that detail pages know the sign. */
export function useAllSigns(): WireSignGroup[] | undefined {
  const canSeeSigns = useRight('Vms')
  const { build, sg } = useBuild()
  const enabled = canSeeSigns && build !== undefined && !sg
  const { data } = useQuery({
    ...groupsQuery([]),
    enabled,
    refetchInterval: BACKGROUND_POLL_MS,
    staleTime: BACKGROUND_POLL_MS,
  })
  return enabled ? data : undefined
}

/** The sign of a station that shows plates, from the cache. */
export function usePreloadedSign(locationId: number): WireSign | undefined {
  const { data } = useQuery({ ...groupsQuery([]), enabled: false })
  return ofStations(data, [locationId])
    ?.flatMap(({ vms }) => vms)
    .find(({ showsPlates }) => showsPlates)
}

/** Vehicles shown on a sign now, by plate or as all lorries. */
export function useVehiclesOnSigns(): ReadonlyMap<number, 'plate' | 'trucks'> {
  const groups = useAllSigns()
  return useMemo(
    () =>
      new Map(
        groups
          ?.flatMap(({ vms }) => vms)
          .flatMap(({ plate }) => (plate ? [[plate.vehicle.id, plate.allTrucks ? 'trucks' : 'plate']] : [])),
      ),
    [groups],
  )
}

/** Contents that signs can show. */
export const useContents = () =>
  useQuery({
    queryKey: ['vms', 'contents'],
    queryFn: ({ signal }) => call(contents, { signal, background: true }),
    staleTime: 5 * MINUTE_MS,
  })
