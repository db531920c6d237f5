import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { useListFailure } from '../core/useListFailure.ts'
import { usePages } from '../core/usePages.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { ListTools } from '../ui/ListTools.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Pager } from '../ui/Pager.tsx'
import { pageCount } from '../ui/pages.ts'
import { PAGE_SIZE, shownOf } from './useWanted.ts'

type Props<R extends { id: number }> = {
  label: string
  result: UseQueryResult<{ content: R[]; totalCount: number }>
  columns: Column<R>[]
  page: number
  onPage: (page: number) => void
  /** What the list is empty of. */
  nothing: string
  /** Above the list, at the right. */
  tools?: ReactNode
}

/** Five entries a page, newest first. */
export function EntryList<R extends { id: number }>(props: Props<R>) {
  const { label, result, columns, page, onPage, nothing, tools } = props
  const { data, error, refetch, isPlaceholderData } = result
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  const pages = pageCount(data?.totalCount ?? 0, PAGE_SIZE)
  usePages({ page, count: data && !isPlaceholderData ? pages : undefined, onPage })
  useListFailure(t('list-failed'), error, data !== undefined)
  return (
    <section aria-label={t('entries')}>
      <ListTools>
        {data && <ListTools.Count>{t('count', { count: data.totalCount })}</ListTools.Count>}
        {tools && <ListTools.Actions>{tools}</ListTools.Actions>}
      </ListTools>
      {error && !data && <ErrorBanner error={error} title={t('list-failed')} retry={() => void refetch()} />}
      {!error && !data && <Loading label={t('loading')} />}
      {data?.totalCount === 0 && <Notice kind="quiet">{nothing}</Notice>}
      {data && data.totalCount > 0 && (
        <DataTable
          label={label}
          columns={columns}
          rows={shownOf(data.content, page)}
          keyOf={({ id }) => id}
          stale={isPlaceholderData}
        />
      )}
      {pages > 1 && <Pager page={Math.min(page, pages)} count={pages} onPage={onPage} format={number} />}
    </section>
  )
}
