import { stat, type WireStatistic, type WireStatisticFilters } from '@rogatka/contract/statistics.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { showError } from '../core/errors.ts'
import { useLanguage } from '../core/language.ts'
import { queryClient } from '../core/queryClient.ts'

const ROOM = 'statistics'

/** The question apart from its stations, and the stations. */
function keyOf({ locations, ...question }: WireStatisticFilters, language: string) {
  return { about: [ROOM, { ...question, language }], stations: [locations].flat().map(Number) }
}

/** The same question of more stations that was answered already: an answer for some of them is part of it. */
function known({ about, stations }: ReturnType<typeof keyOf>) {
  const queries = queryClient.getQueryCache().findAll({ queryKey: about })
  return queries.find(({ queryKey, state }) => {
    const asked = queryKey.at(-1)
    return state.data !== undefined && Array.isArray(asked) && stations.every((id) => asked.includes(id))
  })?.state as { data: WireStatistic[]; dataUpdatedAt: number } | undefined
}

/** The figures that were asked for, by station. A failure goes above the page. */
export function useStatistics(question: WireStatisticFilters) {
  const { t } = useTranslation('statistics')
  const key = keyOf(question, useLanguage())
  const result = useQuery({
    queryKey: [...key.about, key.stations],
    queryFn: ({ signal }) => call(stat, { query: question, signal }),
    initialData: () => known(key)?.data.filter(({ location }) => key.stations.includes(location.id)),
    initialDataUpdatedAt: () => known(key)?.dataUpdatedAt,
  })

  const { error, errorUpdatedAt, refetch } = result
  const title = t('failed')
  // Each failure anew: the message of the one before goes by itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the moment tells failures apart that look alike
  useEffect(() => {
    if (error) showError(error, { title, retry: () => void refetch() })
  }, [error, errorUpdatedAt, title, refetch])
  return result
}
