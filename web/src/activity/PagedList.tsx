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
  /** Text for an empty list. */
  nothing: string
  /** Beside the count. */
  tools?: ReactNode
}

/** Ten rows per page. */
export const PagedList = <R extends { id: number }>(props: Props<R>) => (
  <PagedTable {...props} feature="activity" pageSize={PAGE_SIZE} />
)
