import { useMediaQuery } from '@mantine/hooks'
import { PAGE_SIZE } from '@rogatka/contract/archive.ts'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { EmptyState, FailedState } from '../ui/EmptyState.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { pageCount } from '../ui/pages.ts'
import { RichText } from '../ui/RichText.tsx'
import { ExportMenus } from './ExportMenus.tsx'
import { ResultCards } from './ResultCards.tsx'
import css from './ResultStep.module.css'
import { ResultTable } from './ResultTable.tsx'
import { type ArchiveSearch, levelsAfterClick, orderFrom, sortLevels } from './search.ts'
import { useArchiveList } from './useArchiveList.ts'
import { useResultRows } from './useResultRows.ts'

type Props = {
  search: ArchiveSearch
  onPage: (page: number, replace?: boolean) => void
  onChange: (changes: Partial<ArchiveSearch>) => void
}

/** Up to this width the result is shown as cards. */
const CARDS_QUERY = '(max-width: 860px)'

/** Step 4: the result. */
export function ResultStep({ search, onPage, onChange }: Props) {
  const { t } = useTranslation('archive')
  const { number } = useFormat()
  const { data, isPlaceholderData: stale, isFetching, error, refetch } = useArchiveList(search)
  const area = useRef<HTMLDivElement>(null)
  const rows = useResultRows(area, data?.content ?? [])
  const cards = useMediaQuery(CARDS_QUERY, false, { getInitialValueInEffect: false })

  const page = search.page ?? 1
  const total = data?.totalCount ?? 0
  const pages = pageCount(total, PAGE_SIZE)
  // A shared link may contain a page beyond the last one.
  const isBeyondEnd = !stale && total > 0 && page > pages
  useEffect(() => {
    if (isBeyondEnd) onPage(pages, true)
  })

  const changePage = (target: number) => {
    if (target < 1 || target > pages) return
    onPage(target)
    area.current?.closest('main')?.scrollTo({ top: 0 })
  }
  useShortcuts([
    { key: 'PageUp', label: t('ui:previous-page'), run: () => changePage(page - 1) },
    { key: 'PageDown', label: t('ui:next-page'), run: () => changePage(page + 1) },
  ])

  const List = cards ? ResultCards : ResultTable
  return (
    <div ref={area}>
      {rows.announcing}
      <div className={css.head}>
        <p className={css.count} role="status">
          {data && <RichText text={t('vehicles', { count: total, total: number(total) })} />}
        </p>
        {data && total > 0 && (
          <span className={css.position}>{t('page-of', { page: number(page), pages: number(pages) })}</span>
        )}
        {data && isFetching && <Loading label={t('core:loading-page')} />}
        <ExportMenus search={search} total={data && total} narrow={cards} />
      </div>
      {!data && !error && <Loading label={t('searching')} skeleton={<div className={css.skeleton} />} />}
      {!data && error && (
        <FailedState title={t('search-failed')} hint={t('search-failed-hint')} retry={() => void refetch()} />
      )}
      {data && total === 0 && <EmptyState title={t('no-data-for-selected-parameters')} hint={t('no-data-hint')} />}
      {data && total > 0 && (
        <>
          <List
            vehicles={data.content}
            levels={sortLevels(search)}
            stale={stale}
            rows={rows}
            onSort={(column, isAdded) => onChange(orderFrom(levelsAfterClick(sortLevels(search), column, isAdded)))}
          />
          <Pagination page={page} count={pages} onPage={changePage} format={number} />
        </>
      )}
    </div>
  )
}
