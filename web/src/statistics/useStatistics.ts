import { stat, type WireStatistic, type WireStatisticFilters } from '@rogatka/contract/statistics.ts'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { useLanguage } from '../core/language.ts'
import { queryClient } from '../core/queryClient.ts'
import { useResultFailure } from '../core/useResultFailure.ts'
import type { StatisticsSearch } from './address.ts'
import { isMoving, rangeOf } from './presets.ts'
import { toQuery } from './search.ts'

const ROOM = 'statistics'

/** Refetch interval of moving ranges, whose periods are minutes. */
const REFETCH_MS = 60_000

/** A query with its actual range, and the statistics by station. */
type Answer = { question: WireStatisticFilters; statistics: WireStatistic[] }

/** Query key: the query without stations, and the stations; a moving range is not part of it. */
function keyOf({ locations, ...question }: WireStatisticFilters, moving: boolean, language: string) {
  const { dateTimeStart: _, dateTimeEnd: __, ...rangeless } = question
  return { about: [ROOM, { ...(moving ? rangeless : question), language }], stations: [locations].flat().map(Number) }
}

/** A cached result of the same query with more stations, which contains this one. */
function known({ about, stations }: ReturnType<typeof keyOf>) {
  const queries = queryClient.getQueryCache().findAll({ queryKey: about })
  return queries.find(({ queryKey, state }) => {
    const asked = queryKey.at(-1)
    return state.data !== undefined && Array.isArray(asked) && stations.every((id) => asked.includes(id))
  })?.state as { data: Answer; dataUpdatedAt: number } | undefined
}

function partOf({ question, statistics }: Answer, stations: readonly number[]): Answer {
  return {
    question: { ...question, locations: [...stations] },
    statistics: statistics.filter(({ location }) => stations.includes(location.id)),
  }
}

/** Statistics of the query, if the result is shown; moving ranges are refetched every minute. */
export function useAnswer(search: StatisticsSearch) {
  const language = useLanguage()
  const question = search.result && toQuery(search)
  const moving = isMoving(search)
  const key = question && keyOf(question, moving, language)
  const before = () => (key ? known(key) : undefined)
  return useQuery({
    queryKey: key ? [...key.about, key.stations] : [ROOM],
    queryFn: question
      ? async ({ signal }): Promise<Answer> => {
          const asked = moving ? { ...question, ...rangeOf('current', serverNow()) } : question
          return { question: asked, statistics: await call(stat, { query: asked, signal }) }
        }
      : skipToken,
    initialData: () => {
      const found = before()
      return found && key ? partOf(found.data, key.stations) : undefined
    },
    initialDataUpdatedAt: () => before()?.dataUpdatedAt,
    ...(moving && { refetchInterval: REFETCH_MS, refetchOnWindowFocus: true }),
  })
}

/** Like `useAnswer`; shows errors above the page. */
export function useStatistics(search: StatisticsSearch) {
  const { t } = useTranslation('statistics')
  const result = useAnswer(search)
  useResultFailure(result, t('failed'))
  return result
}
