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
import type { useSelection } from '../ui/useSelection.ts'
import { PAGE_SIZE, shownOf } from './useWanted.ts'

type Entry = { id: number; manageable: boolean }

type Props<R extends Entry> = {
  label: string
  result: UseQueryResult<{ content: R[]; totalCount: number }>
  columns: Column<R>[]
  page: number
  onPage: (page: number) => void
  /** What the list is empty of. */
  nothing: string
  /** Above the list, before the count, and at its right. */
  search?: ReactNode
  tools?: ReactNode
  selection?: Selection<R>
}

/** The chosen rows, on whatever page they are. */
type Selection<R extends Entry> = {
  chosen: ReturnType<typeof useSelection<R>>
  nameOf: (row: R) => string
}

const isManageable = ({ manageable }: Entry) => manageable

/** Five entries a page. */
export function WantedTable<R extends Entry>(props: Props<R>) {
  const { label, result, columns, page, onPage, nothing, search, tools, selection } = props
  const { data, error, refetch, isPlaceholderData } = result
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  const pages = pageCount(data?.totalCount ?? 0, PAGE_SIZE)
  usePages({ page, count: data && !isPlaceholderData ? pages : undefined, onPage })
  useListFailure(t('list-failed'), error, data !== undefined)
  const rows = shownOf(data?.content ?? [], page)
  return (
    <section aria-label={t('entries')}>
      <ListToolbar>
        {search}
        {data && <ListToolbar.Count>{t('count', { count: data.totalCount })}</ListToolbar.Count>}
        {tools && <ListToolbar.Actions>{tools}</ListToolbar.Actions>}
      </ListToolbar>
      {error && !data && <ErrorBanner error={error} title={t('list-failed')} retry={() => void refetch()} />}
      {!error && !data && <Loading label={t('loading')} />}
      {data?.totalCount === 0 && <Notice kind="quiet">{nothing}</Notice>}
      {data && data.totalCount > 0 && (
        <DataTable
          label={label}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          stale={isPlaceholderData}
          selection={
            selection && {
              chosen: selection.chosen.ids,
              onToggle: selection.chosen.toggle,
              onToggleAll: () => selection.chosen.toggleAll(rows.filter(isManageable)),
              may: isManageable,
              label: (row) => t('ui:select-row', { name: selection.nameOf(row) }),
              allLabel: t('choose-all'),
            }
          }
        />
      )}
      {pages > 1 && <Pagination page={Math.min(page, pages)} count={pages} onPage={onPage} format={number} />}
    </section>
  )
}
