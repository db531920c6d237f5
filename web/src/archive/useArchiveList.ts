import { PAGE_SIZE, search as searchArchive } from '@rogatka/contract/archive.ts'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { queryClient } from '../core/queryClient.ts'
import { useResultFailure } from '../core/useResultFailure.ts'
import { retag } from '../ui/vehicle/retag.ts'
import { onTags, withOwnTags } from '../vehicle/publicApi.ts'
import { type ArchiveSearch, toQuery } from './search.ts'

type ResultPage = WireOf<typeof searchArchive, 'response'>

/** When the last request for a result began, by `performance.now`. */
let requestedAt = 0

/**
 * Tags that are set on the detail page also change the cached result. A result that was requested meanwhile is fetched
 * again: a search by tag may find other vehicles.
 */
onTags((tagged, tags, since) => {
  queryClient.setQueriesData<ResultPage>(
    { queryKey: ['archive'] },
    (old) => old && { ...old, content: old.content.map((vehicle) => retag(vehicle, tagged, tags)) },
  )
  if (since !== null && requestedAt >= since) void queryClient.invalidateQueries({ queryKey: ['archive'] })
})

/**
 * One page of the result. While another page loads, the previous rows stay (`isPlaceholderData`); on return from a
 * vehicle the cached result is shown and refetched. Shows errors above the page.
 */
export function useArchiveList(search: ArchiveSearch) {
  const { t } = useTranslation('archive')
  const filters = toQuery(search)
  const page = search.page ?? 1
  const list = useQuery({
    queryKey: ['archive', filters, page],
    queryFn: async ({ signal }) => {
      if (!filters) throw new Error('query without criteria')
      const sentAt = performance.now()
      requestedAt = sentAt
      const flags = { withAxles: true, withImages: true, withTags: true }
      const result = await call(searchArchive, { query: { ...filters, ...flags, page, limit: PAGE_SIZE }, signal })
      return { ...result, content: result.content.map((vehicle) => withOwnTags(vehicle, sentAt)) }
    },
    enabled: filters !== undefined,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })

  useResultFailure(list, t('search-failed'))
  return list
}
