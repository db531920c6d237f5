import { contents, groups, type WireSign, type WireSignGroup } from '@rogatka/contract/vms.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../core/call.ts'
import { queryClient } from '../core/queryClient.ts'
import { useBuild } from '../core/useBuild.ts'
import { useRight } from '../core/useSelf.ts'

/** The screen of the signs asks each second; the answer is what the server's one poll of the signs knows. */
const WATCH_MS = 1_000
/** Where signs stand in the margin: the server asks each sign so often. */
const GLANCE_MS = 5_000

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

/** The groups of these stations, of all when none is named, watched for as long as somebody looks. */
export const useSignGroups = (locations: readonly number[]) =>
  useQuery({
    ...groupsQuery(locations),
    refetchInterval: WATCH_MS,
    // Until the answer is there: what is known of these stations from the answer for all.
    placeholderData: () => ofStations(queryClient.getQueryData<WireSignGroup[]>(keyOf([])), locations),
  })

/** All groups at a glance, for those who may see signs. Asked at home too, so that a vehicle's detail knows its sign. */
export function useAllSigns(): WireSignGroup[] | undefined {
  const may = useRight('Vms')
  const { build, sg } = useBuild()
  const enabled = may && build !== undefined && !sg
  const { data } = useQuery({ ...groupsQuery([]), enabled, refetchInterval: GLANCE_MS, staleTime: GLANCE_MS })
  return enabled ? data : undefined
}

/** The sign of a station that shows plates, as far as it is known already. */
export function usePreloadedSign(locationId: number): WireSign | undefined {
  const { data } = useQuery({ ...groupsQuery([]), enabled: false })
  return ofStations(data, [locationId])
    ?.flatMap(({ vms }) => vms)
    .find(({ showsPlates }) => showsPlates)
}

/** The vehicles that are on a sign now, themselves or as all trucks. */
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

/** What signs can show. */
export const useContents = () =>
  useQuery({
    queryKey: ['vms', 'contents'],
    queryFn: ({ signal }) => call(contents, { signal, background: true }),
    staleTime: 5 * 60_000,
  })
