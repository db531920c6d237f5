import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable, PAGE_ORDER, type ServerOrder } from '../../ui/DataTable.tsx'
import { ErrorBanner } from '../../ui/ErrorBanner.tsx'
import { ListToolbar } from '../../ui/ListToolbar.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { pageCount } from '../../ui/pages.ts'
import type { useSelection } from '../../ui/useSelection.ts'
import { useFormat } from '../format.ts'
import { useListFailure } from '../useListFailure.ts'
import { usePages } from '../usePages.ts'

export type PagedResult<R> = UseQueryResult<{ content: R[]; totalCount: number }>

type Props<R extends { id: number }> = {
  /** Namespace of `loading`, `list-failed`, `count`. */
  feature: string
  label: string
  result: PagedResult<R>
  /** Rows of the current page; absent: all rows of the response. */
  rowsOf?: (content: R[]) => R[]
  columns: readonly Column<R>[]
  page: number
  pageSize: number
  onPage: (page: number) => void
  /** Text for an empty list. */
  nothing: string
  /** The page itself shows the error that the list could not be loaded. */
  showsFailure?: boolean
  /** Before the count, and right-aligned. */
  search?: ReactNode
  tools?: ReactNode
  selection?: PagedSelection<R> | undefined
  toneOf?: Parameters<typeof DataTable<R>>[0]['toneOf']
  /** Absent: the list is always in its default order. */
  order?: ServerOrder | undefined
}

/** Selected rows across pages. */
export type PagedSelection<R extends { id: number }> = {
  selected: ReturnType<typeof useSelection<R>>
  /** Whether a row can be selected. */
  canSelect: (row: R) => boolean
  nameOf: (row: R) => string
  /** Label of the checkbox that selects all rows of the page. */
  allLabel: string
}

/** Paginated list with its count; an error with a retry button if loading failed. */
export function PagedTable<R extends { id: number }>(props: Props<R>) {
  const { feature, label, result, rowsOf = (content) => content, columns, page, pageSize, onPage, nothing } = props
  const { showsFailure = false, search, tools, selection, toneOf, order = PAGE_ORDER } = props
  const { data, error, refetch, isPlaceholderData } = result
  const { t } = useTranslation(feature)
  const { number } = useFormat()
  const total = data?.totalCount ?? 0
  const pages = pageCount(total, pageSize)
  const failed = t('list-failed')
  usePages({ page, count: data && !isPlaceholderData ? pages : undefined, onPage })
  useListFailure(failed, showsFailure ? null : error, data !== undefined)
  const rows = rowsOf(data?.content ?? [])
  return (
    <>
      <ListToolbar>
        {search}
        {data && <ListToolbar.Count>{t('count', { count: total, shown: number(total) })}</ListToolbar.Count>}
        {tools}
      </ListToolbar>
      {error && !data && !showsFailure && <ErrorBanner error={error} title={failed} retry={() => void refetch()} />}
      {!error && !data && <Loading label={t('loading')} />}
      {data?.totalCount === 0 && <Notice kind="quiet">{nothing}</Notice>}
      {rows.length > 0 && (
        <DataTable
          label={label}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          stale={isPlaceholderData}
          toneOf={toneOf}
          order={order}
          selection={
            selection && {
              selected: selection.selected.ids,
              onToggle: selection.selected.toggle,
              onToggleAll: () => selection.selected.toggleAll(rows.filter(selection.canSelect)),
              canSelect: selection.canSelect,
              label: (row) => t('ui:select-row', { name: selection.nameOf(row) }),
              allLabel: selection.allLabel,
            }
          }
        />
      )}
      {pages > 1 && <Pagination page={Math.min(page, pages)} count={pages} onPage={onPage} format={number} />}
    </>
  )
}
