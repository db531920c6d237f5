import { stationKeys, stations } from '@rogatka/contract/locations-upkeep.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'

/** Below the list of stations, so that a change refetches both. */
const UPKEEP = ['locations', 'upkeep']
/** Keeps times of last vehicles and keys current. */
const REFRESH_MS = 30_000

/** All stations with what can be changed of them. */
export const useUpkeepStations = () =>
  useQuery({
    queryKey: UPKEEP,
    queryFn: ({ signal }) => call(stations, { signal, background: true }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })

/** The keys of a station. */
export const useStationKeys = (id: number) =>
  useQuery({
    queryKey: [...UPKEEP, id],
    queryFn: ({ signal }) => call(stationKeys, { params: { id }, signal, background: true }),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })

/** Refetches stations, keys, and all lists of stations after a change. */
export const invalidateStations = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['locations'] })
