import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
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
  /** Whose texts it has: `loading`, `list-failed`, `count`, `choose-all`. */
  feature: string
  label: string
  result: PagedResult<R>
  /** Those of the page; absent: all that came. */
  rowsOf?: (content: R[]) => R[]
  columns: readonly Column<R>[]
  page: number
  pageSize: number
  onPage: (page: number) => void
  /** What the list is empty of. */
  nothing: string
  /** The page shows by itself that the list could not be loaded. */
  showsFailure?: boolean
  /** Before the count, and at its right. */
  search?: ReactNode
  tools?: ReactNode
  selection?: PagedSelection<R> | undefined
}

/** The selected rows, on whatever page they are. */
export type PagedSelection<R extends { id: number }> = {
  selected: ReturnType<typeof useSelection<R>>
  /** Whether a row can be selected. */
  may: (row: R) => boolean
  nameOf: (row: R) => string
}

/** A list page by page, with its count; in place of what could not be loaded an error that offers to try again. */
export function PagedTable<R extends { id: number }>(props: Props<R>) {
  const { feature, label, result, rowsOf = (content) => content, columns, page, pageSize, onPage, nothing } = props
  const { showsFailure = false, search, tools, selection } = props
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
          selection={
            selection && {
              chosen: selection.selected.ids,
              onToggle: selection.selected.toggle,
              onToggleAll: () => selection.selected.toggleAll(rows.filter(selection.may)),
              may: selection.may,
              label: (row) => t('ui:select-row', { name: selection.nameOf(row) }),
              allLabel: t('choose-all'),
            }
          }
        />
      )}
      {pages > 1 && <Pagination page={Math.min(page, pages)} count={pages} onPage={onPage} format={number} />}
    </>
  )
}
