import { Button, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { formatMinute, useFormat } from '../core/format.ts'
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
import { type OffenderPage, PAGE_SIZE, useOffenders } from './useOffenders.ts'

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
      title={<StatisticsTabs showSingle />}
      actions={<FilterPanelToggle />}
      filterPanel={<ActiveFilters search={search} onChange={change} />}
    >
      <VisuallyHidden component="h1">{title}</VisuallyHidden>
      <div className={isBeside ? `${css.page} ${css.beside}` : css.page}>
        <section className={css.list} aria-label={title}>
          <OffenderFilters search={search} onChange={change} />
          <OffenderList search={search} onChange={change} />
        </section>
        <OffenderPanel search={search} isBeside={isBeside} onClose={close} />
      </div>
    </PageLayout>
  )
}

type ListProps = { search: OffenderSearch; onChange: (changes: Partial<OffenderSearch>) => void }

function OffenderList({ search, onChange }: ListProps) {
  const { t } = useTranslation('offenders')
  const { number } = useFormat()
  const { data, error, refetch, isPlaceholderData } = useOffenders(search)
  const { minOverloads = DEFAULT_MIN, page = 1 } = search
  const total = data?.totalCount ?? 0
  const pages = pageCount(total, PAGE_SIZE)
  const onPage = (next: number) => onChange({ page: next, id: search.id, carrier: search.carrier })
  usePages({ page, count: data && !isPlaceholderData ? pages : undefined, onPage })
  const first = (page - 1) * PAGE_SIZE + 1
  return (
    <>
      <p className={css.count} role="status">
        {data && total > 0 && <Sums data={data} search={search} />}
      </p>
      {error && (
        <ErrorBanner
          error={error}
          title={t('list-failed')}
          age={data?.countedUntil && t('as-of', { time: formatMinute(data.countedUntil) })}
          retry={() => void refetch()}
        />
      )}
      {!error && !data && <Loading label={t('loading')} skeleton={<Skeleton />} />}
      {data && total === 0 && <Nothing minimum={minOverloads} all={search.all} onChange={onChange} />}
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
              {' · '}
              {data.countedUntil ? t('counted', { time: formatMinute(data.countedUntil) }) : t('not-counted')}
            </span>
            {pages > 1 && <Pagination page={Math.min(page, pages)} count={pages} onPage={onPage} format={number} />}
          </footer>
        </>
      )}
    </>
  )
}

type SumsProps = { data: OffenderPage; search: OffenderSearch }

/** Number of rows, overloads of all, and how many of them those of the first rows are. */
function Sums({ data: { content, totalCount, totalOverloads }, search }: SumsProps) {
  const { t } = useTranslation('offenders')
  const { number } = useFormat()
  const { groupBy = 'plate', orderBy = 'overloads', orderDirection = 'desc', page = 1 } = search
  const isTop = orderBy === 'overloads' && orderDirection === 'desc' && page === 1 && totalCount > content.length
  const shownOverloads = content.reduce((sum, { overloads }) => sum + overloads, 0)
  const percent = number((100 * shownOverloads) / totalOverloads, 0)
  return (
    <>
      <RichText text={t(`count-${groupBy}`, { count: totalCount, shown: number(totalCount) })} />
      {', '}
      <RichText text={t('sum-overloads', { count: totalOverloads, shown: number(totalOverloads) })} />
      {isTop && ' · '}
      {isTop && <RichText text={t('first-rows', { count: content.length, percent })} />}
    </>
  )
}

type NothingProps = Pick<ListProps, 'onChange'> & { minimum: number; all: OffenderSearch['all'] }

function Nothing({ minimum, all, onChange }: NothingProps) {
  const { t } = useTranslation('offenders')
  const { number } = useFormat()
  const lower = lowerMinimum(minimum)
  return (
    <EmptyState title={t('none', { count: minimum, shown: number(minimum) })} hint={t('none-hint')}>
      {lower !== null && (
        <Button onClick={() => onChange({ minOverloads: lower })}>{t('lower', { minimum: number(lower) })}</Button>
      )}
      {!all && (
        <Button variant="default" onClick={() => onChange({ all: true })}>
          {t('show-all')}
        </Button>
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
