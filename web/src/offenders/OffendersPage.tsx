import { Button, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { toServerTime } from '../core/clock.ts'
import { formatClock, useFormat } from '../core/format.ts'
import { FilterPanelToggle } from '../core/frame/FilterPanelToggle.tsx'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { StatisticsTabs } from '../core/frame/StatisticsTabs.tsx'
import { usePages } from '../core/usePages.ts'
import { useTitle } from '../core/useTitle.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { pageCount } from '../ui/pages.ts'
import { RichText } from '../ui/RichText.tsx'
import { ActiveFilters } from './ActiveFilters.tsx'
import { OffenderFilters } from './OffenderFilters.tsx'
import { OffenderPanel } from './OffenderPanel.tsx'
import css from './Offenders.module.css'
import { OffenderTable } from './OffenderTable.tsx'
import { DEFAULT_MIN, lowerMinimum, type OffenderSearch, orderAfterClick } from './search.ts'
import { useOffenderSearch } from './useOffenderSearch.ts'
import { PAGE_SIZE, useOffenders } from './useOffenders.ts'

/** From this width the chosen vehicle is beside the table. */
const BESIDE_QUERY = '(min-width: 1361px)'

/** Repeat offenders: filters, table, and the chosen vehicle. */
export function OffendersPage() {
  const { t } = useTranslation('offenders')
  const title = t('core:nav-offenders')
  useTitle(title)
  const { search, change, close } = useOffenderSearch()
  const isBeside = useMediaQuery(BESIDE_QUERY, true, { getInitialValueInEffect: false })
  return (
    <PageLayout
      title={<StatisticsTabs evenAlone />}
      actions={<FilterPanelToggle />}
      filterPanel={<ActiveFilters search={search} onChange={change} />}
    >
      <VisuallyHidden component="h1">{title}</VisuallyHidden>
      <div className={isBeside && search.groupBy !== 'carrier' ? `${css.page} ${css.beside}` : css.page}>
        <section className={css.list} aria-label={title}>
          <OffenderFilters search={search} onChange={change} />
          <OffenderList search={search} onChange={change} />
        </section>
        {search.groupBy !== 'carrier' && <OffenderPanel id={search.id} isBeside={isBeside} onClose={close} />}
      </div>
    </PageLayout>
  )
}

type ListProps = { search: OffenderSearch; onChange: (changes: Partial<OffenderSearch>) => void }

function OffenderList({ search, onChange }: ListProps) {
  const { t } = useTranslation('offenders')
  const { number } = useFormat()
  const { data, error, refetch, isPlaceholderData, dataUpdatedAt } = useOffenders(search)
  const { groupBy = 'plate', minOverloads = DEFAULT_MIN, page = 1 } = search
  const total = data?.totalCount ?? 0
  const pages = pageCount(total, PAGE_SIZE)
  const onPage = (next: number) => onChange({ page: next, id: search.id })
  usePages({ page, count: data && !isPlaceholderData ? pages : undefined, onPage })
  const first = (page - 1) * PAGE_SIZE + 1
  return (
    <>
      <p className={css.count} role="status">
        {data && total > 0 && (
          <RichText
            text={t(`count-${groupBy}`, { count: total, shown: number(total), minimum: number(minOverloads) })}
          />
        )}
      </p>
      {error && (
        <ErrorBanner
          error={error}
          title={t('list-failed')}
          age={data && t('as-of', { time: formatClock(new Date(toServerTime(dataUpdatedAt))) })}
          retry={() => void refetch()}
        />
      )}
      {!error && !data && <Loading label={t('loading')} skeleton={<Skeleton />} />}
      {data && total === 0 && <Nothing minimum={minOverloads} onChange={onChange} />}
      {data && total > 0 && (
        <>
          <OffenderTable
            rows={data.content}
            search={search}
            first={first}
            stale={isPlaceholderData}
            onSort={(column) => onChange(orderAfterClick(search, column))}
          />
          <footer className={css.foot}>
            <span>
              {t('rows', {
                from: number(first),
                to: number(first + data.content.length - 1),
                total: number(total),
              })}
            </span>
            {pages > 1 && <Pagination page={Math.min(page, pages)} count={pages} onPage={onPage} format={number} />}
          </footer>
        </>
      )}
    </>
  )
}

function Nothing({ minimum, onChange }: { minimum: number; onChange: ListProps['onChange'] }) {
  const { t } = useTranslation('offenders')
  const { number } = useFormat()
  const lower = lowerMinimum(minimum)
  return (
    <EmptyState title={t('none', { count: minimum, shown: number(minimum) })} hint={t('none-hint')}>
      {lower !== null && (
        <Button onClick={() => onChange({ minOverloads: lower })}>{t('lower', { minimum: number(lower) })}</Button>
      )}
    </EmptyState>
  )
}

/** Rows of the real size. */
const Skeleton = () => (
  <div className={css.skeleton} aria-hidden="true">
    {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((row) => (
      <i key={row} />
    ))}
  </div>
)
