import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type PagedResult, type PagedSelection, PagedTable } from '../core/frame/PagedTable.tsx'
import type { Column, ServerOrder } from '../ui/DataTable.tsx'
import { ListToolbar } from '../ui/ListToolbar.tsx'
import { PAGE_SIZE, rowsOfPage } from './useWanted.ts'

type WantedEntry = { id: number; manageable: boolean }

type Props<R extends WantedEntry> = {
  label: string
  result: PagedResult<R>
  columns: Column<R>[]
  page: number
  onPage: (page: number) => void
  /** Text for an empty list. */
  nothing: string
  /** Above the list: before the count, and right-aligned. */
  search?: ReactNode
  tools?: ReactNode
  selection?: Pick<PagedSelection<R>, 'selected' | 'nameOf'>
  order?: ServerOrder
  /** Rows that stand out. */
  toneOf?: (row: R) => 'wanted' | 'faded' | undefined
}

/** Table of list entries, five per page. */
export function WantedTable<R extends WantedEntry>({ tools, selection, ...props }: Props<R>) {
  const { t } = useTranslation('wanted')
  return (
    <section aria-label={t('entries')}>
      <PagedTable
        {...props}
        rowsOf={(content) => rowsOfPage(content, props.page)}
        feature="wanted"
        pageSize={PAGE_SIZE}
        tools={tools && <ListToolbar.Actions>{tools}</ListToolbar.Actions>}
        selection={
          selection && { ...selection, canSelect: ({ manageable }) => manageable, allLabel: t('ui:select-all') }
        }
      />
    </section>
  )
}
