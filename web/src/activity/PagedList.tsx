import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { useListFailure } from '../core/useListFailure.ts'
import { usePages } from '../core/usePages.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { ListToolbar } from '../ui/ListToolbar.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { pageCount } from '../ui/pages.ts'
import { PAGE_SIZE } from './useActivity.ts'

type Props<R> = {
  label: string
  result: UseQueryResult<{ content: R[]; totalCount: number }>
  columns: readonly Column<R>[]
  page: number
  onPage: (page: number) => void
  /** What to say when there is nothing. */
  nothing: string
  /** Beside the count. */
  tools?: ReactNode
}

/** Ten lines a page, with their count; what fails is said in its place. */
export function PagedList<R extends { id: number }>(props: Props<R>) {
  const { label, result, columns, page, onPage, nothing, tools } = props
  const { data, error, refetch, isPlaceholderData } = result
  const { t } = useTranslation('activity')
  const { number } = useFormat()
  const pages = pageCount(data?.totalCount ?? 0, PAGE_SIZE)
  usePages({ page, count: data && !isPlaceholderData ? pages : undefined, onPage })
  useListFailure(t('list-failed'), error, data !== undefined)
  return (
    <>
      <ListToolbar>
        {data && (
          <ListToolbar.Count>
            {t('count', { count: data.totalCount, shown: number(data.totalCount) })}
          </ListToolbar.Count>
        )}
        {tools}
      </ListToolbar>
      {error && !data && <ErrorBanner error={error} title={t('list-failed')} retry={() => void refetch()} />}
      {!error && !data && <Loading label={t('loading')} />}
      {data?.totalCount === 0 && <Notice kind="quiet">{nothing}</Notice>}
      {data && data.content.length > 0 && (
        <DataTable
          label={label}
          columns={columns}
          rows={data.content}
          keyOf={({ id }) => id}
          stale={isPlaceholderData}
        />
      )}
      {pages > 1 && <Pagination page={Math.min(page, pages)} count={pages} onPage={onPage} format={number} />}
    </>
  )
}
