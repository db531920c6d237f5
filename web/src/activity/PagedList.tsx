import type { ReactNode } from 'react'
import { type PagedResult, PagedTable } from '../core/frame/PagedTable.tsx'
import type { Column } from '../ui/DataTable.tsx'
import { PAGE_SIZE } from './useActivity.ts'

type Props<R> = {
  label: string
  result: PagedResult<R>
  columns: readonly Column<R>[]
  page: number
  onPage: (page: number) => void
  /** What to say when there is nothing. */
  nothing: string
  /** Beside the count. */
  tools?: ReactNode
}

/** Ten lines a page. */
export const PagedList = <R extends { id: number }>(props: Props<R>) => (
  <PagedTable {...props} feature="activity" pageSize={PAGE_SIZE} />
)
