import type { ReactNode } from 'react'
import { type PagedResult, PagedTable } from '../core/frame/PagedTable.tsx'
import type { Column } from '../ui/DataTable.tsx'
import type { Direction, Level } from '../ui/sortLevels.ts'
import { PAGE_SIZE } from './useActivity.ts'

/** A page of a list by time. */
export type ByTime = {
  page: number
  onPage: (page: number) => void
  direction: Direction
  onOrder: (level: Level | undefined) => void
}

type Props<R> = Omit<ByTime, 'direction'> & {
  label: string
  result: PagedResult<R>
  columns: readonly Column<R>[]
  /** The column of the time by which the list is sorted, and its direction. */
  level: Level
  /** Text for an empty list. */
  nothing: string
  /** Beside the count. */
  tools?: ReactNode
}

/** Ten rows per page. */
export const PagedList = <R extends { id: number }>({ level, onOrder, ...props }: Props<R>) => (
  <PagedTable
    {...props}
    feature="activity"
    pageSize={PAGE_SIZE}
    order={{ columns: [level.column], level, onChange: onOrder }}
  />
)
