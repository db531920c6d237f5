import { stat, type WireStatistic, type WireStatisticFilters } from '@rogatka/contract/statistics.ts'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { useLanguage } from '../core/language.ts'
import { queryClient } from '../core/queryClient.ts'
import { useResultFailure } from '../core/useResultFailure.ts'
import { isMoving, rangeOf } from './presets.ts'
import { toQuery } from './search.ts'
import type { StatisticsSearch } from './urlParams.ts'

const FEATURE = 'statistics'

/** Refetch interval of moving ranges, whose periods are minutes. */
const REFETCH_MS = 60_000

/** A query with its actual range, and the statistics by station. */
type LoadedStatistics = { query: WireStatisticFilters; statistics: WireStatistic[] }

/** Query key: the query without stations, and the stations; a moving range is not part of it. */
function keyOf({ locations, ...query }: WireStatisticFilters, moving: boolean, language: string) {
  const { dateTimeStart: _, dateTimeEnd: __, ...withoutRange } = query
  return {
    filters: [FEATURE, { ...(moving ? withoutRange : query), language }],
    stations: [locations].flat().map(Number),
  }
}

/** A cached result of the same query with more stations, which contains this one. */
function findCached({ filters, stations }: ReturnType<typeof keyOf>) {
  const queries = queryClient.getQueryCache().findAll({ queryKey: filters })
  return queries.find(({ queryKey, state }) => {
    const stationIds = queryKey.at(-1)
    return state.data !== undefined && Array.isArray(stationIds) && stations.every((id) => stationIds.includes(id))
  })?.state as { data: LoadedStatistics; dataUpdatedAt: number } | undefined
}

function partOf({ query, statistics }: LoadedStatistics, stations: readonly number[]): LoadedStatistics {
  return {
    query: { ...query, locations: [...stations] },
    statistics: statistics.filter(({ location }) => stations.includes(location.id)),
  }
}

/** Statistics of the query, if the result is shown; moving ranges are refetched every minute. */
export function useStatisticsQuery(search: StatisticsSearch) {
  const language = useLanguage()
  const query = search.result && toQuery(search)
  const moving = isMoving(search)
  const key = query && keyOf(query, moving, language)
  const findCachedResult = () => (key ? findCached(key) : undefined)
  return useQuery({
    queryKey: key ? [...key.filters, key.stations] : [FEATURE],
    queryFn: query
      ? async ({ signal }): Promise<LoadedStatistics> => {
          const currentQuery = moving ? { ...query, ...rangeOf('current', serverNow()) } : query
          return { query: currentQuery, statistics: await call(stat, { query: currentQuery, signal }) }
        }
      : skipToken,
    initialData: () => {
      const cached = findCachedResult()
      return cached && key ? partOf(cached.data, key.stations) : undefined
    },
    initialDataUpdatedAt: () => findCachedResult()?.dataUpdatedAt,
    ...(moving && { refetchInterval: REFETCH_MS, refetchOnWindowFocus: true }),
  })
}

/** Like `useStatisticsQuery`; shows errors above the page. */
export function useStatistics(search: StatisticsSearch) {
  const { t } = useTranslation('statistics')
  const result = useStatisticsQuery(search)
  useResultFailure(result, t('failed'))
  return result
}
