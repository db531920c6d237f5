import type { Endpoint, WireOf } from '@rogatka/contract/endpoint.ts'
import {
  equivalentAxles,
  headway,
  loads,
  profile,
  speed,
  summary,
  type WireDistributionFilters,
} from '@rogatka/contract/statistics-distributions.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { useLocations } from '../locations/publicApi.ts'
import { toWallClock } from '../ui/dateRange.ts'
import { changeSearch, earlierPeriod, type Period, periodOf, readTrafficSearch, type TrafficSearch } from './search.ts'

const FEATURE = 'traffic'
/** A period with today changes. */
const REFRESH_MS = 5 * MINUTE_MS

export type StationSummary = WireOf<typeof summary, 'response'>[number]
export type StationProfile = WireOf<typeof profile, 'response'>[number]
export type StationSpeeds = WireOf<typeof speed, 'response'>[number]
export type StationHeadways = WireOf<typeof headway, 'response'>[number]
export type StationLoads = WireOf<typeof loads, 'response'>[number]
export type StationEquivalents = WireOf<typeof equivalentAxles, 'response'>[number]

export const today = () => toWallClock(new Date(serverNow()).toISOString()).slice(0, 10)

/** Filters in the URL, the stations and periods that they mean, and a function that changes them. */
export function useTrafficSearch(to: '/statistics/traffic' | '/statistics/loads') {
  const search = readTrafficSearch(useSearch({ strict: false }))
  const { data: stations, error, isFetching, refetch } = useLocations()
  const navigate = useNavigate()
  // Of the moment when the page was opened.
  const [openedOn] = useState(today)
  const period = periodOf(search, openedOn)
  const known = stations?.map(({ id }) => id)
  // Starts from the current URL, which may be newer than the rendered one.
  const change = (changes: Partial<TrafficSearch>) =>
    void navigate({
      to,
      search: (current: Record<string, unknown>) => changeSearch(readTrafficSearch(current), changes),
      replace: true,
    })
  const ids = search.locations && known ? search.locations.filter((id) => known.includes(id)) : known
  return {
    search,
    period,
    earlier: earlierPeriod(period, search.compare ?? 'before'),
    /** Undefined while loading. */
    ids,
    change,
    scope: {
      ids,
      hasStations: stations === undefined || stations.length > 0,
      error: stations || isFetching ? null : error,
      refetch,
      showAll: () => change({ locations: undefined }),
    },
  }
}

/** The stations whose figures are shown: of the portal and of the filter. */
export type StationScope = ReturnType<typeof useTrafficSearch>['scope']

export type FigureFilters = Partial<Omit<WireDistributionFilters, 'from' | 'until' | 'locations'>>
/** Figures with the state of their request. */
export type Result<T> = { data: T | undefined; error: unknown; isFetching: boolean; refetch: () => unknown }

/** The figures of one station out of those of a list. */
export const firstOf = <T>({ data, error, isFetching, refetch }: Result<readonly T[]>): Result<T> => ({
  data: data?.[0],
  error,
  isFetching,
  refetch,
})

type FiguresEndpoint = Endpoint & { path: string }

/** Creates a hook for an endpoint: its figures of stations in a period, which is null for no comparison. */
const figuresOf =
  <E extends FiguresEndpoint>(endpoint: E) =>
  (ids: readonly number[] | undefined, period: Period | null, filters: FigureFilters = {}) => {
    const query = { from: period?.from ?? '', until: period?.until ?? '', locations: [...(ids ?? [])], ...filters }
    return useQuery({
      queryKey: [FEATURE, endpoint.path, query],
      queryFn: ({ signal }) => call(endpoint, { query, signal } as never) as Promise<WireOf<E, 'response'>>,
      enabled: period !== null && (ids?.length ?? 0) > 0,
      refetchInterval: period && period.until >= today() ? REFRESH_MS : false,
    })
  }

export const useSummary = figuresOf(summary)
export const useProfile = figuresOf(profile)
export const useSpeeds = figuresOf(speed)
export const useHeadways = figuresOf(headway)
export const useLoads = figuresOf(loads)
export const useEquivalents = figuresOf(equivalentAxles)
