import { latestHits, type WireListedHit } from '@rogatka/contract/wanted.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { formatDateTime, useFormat } from '../core/format.ts'
import { ShiftReportLink } from '../core/frame/ShiftReportLink.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { pageCount } from '../ui/pages.ts'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { openHitSheet, useOpenHits } from './openHits.ts'
import { useHitOutcome } from './useHitOutcome.ts'
import { HITS_PAGE } from './useWanted.ts'
import css from './Wanted.module.css'

/** The latest hits of all entries, each with its outcome; the time opens its sheet. */
export function LatestHits() {
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['wanted', 'latest-hits', page],
    queryFn: ({ signal }) => call(latestHits, { query: { page, limit: HITS_PAGE }, signal, background: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const open = useOpenHits()
  const known = useRef(open)
  useEffect(() => {
    if (known.current !== open) void refetch()
    known.current = open
  }, [open, refetch])
  const columns = useColumns()
  const pages = pageCount(data?.totalCount ?? 0, HITS_PAGE)
  return (
    <section className={css.latest} aria-label={t('latest-hits')}>
      <header className={css.heading}>
        <h2>
          {t('latest-hits')} {data && <small>{number(data.totalCount)}</small>}
        </h2>
        <ShiftReportLink />
      </header>
      {error && !data && <ErrorBanner error={error} title={t('latest-failed')} retry={() => void refetch()} />}
      {data?.totalCount === 0 && <Notice kind="quiet">{t('no-latest-hits')}</Notice>}
      {data && data.totalCount > 0 && (
        <DataTable
          stale={isPlaceholderData}
          toneOf={({ outcome }) => (outcome === 'open' ? 'wanted' : undefined)}
          label={t('latest-hits')}
          rows={data.content}
          columns={columns}
          keyOf={(hit) => data.content.indexOf(hit)}
        />
      )}
      {pages > 1 && (
        <Pagination
          label={t('latest-hits')}
          page={Math.min(page, pages)}
          count={pages}
          onPage={setPage}
          format={number}
        />
      )}
    </section>
  )
}

function useColumns(): Column<WireListedHit>[] {
  const { t } = useTranslation('wanted')
  const outcomeOf = useHitOutcome()
  return [
    {
      key: 'time',
      title: t('passed-at'),
      head: true,
      cell: (hit) => <LinkButton onClick={() => openHitSheet(hit)}>{formatDateTime(hit.createdAt)}</LinkButton>,
    },
    {
      key: 'plate',
      title: t('read-as'),
      cell: ({ plateLpr, nationality }) => (
        <Plate plate={plateLpr} nationality={nationality} size="s" unreadable={plateLpr} />
      ),
    },
    { key: 'description', title: t('ui:description'), wide: true, cell: ({ entry }) => entry.description },
    { key: 'station', title: t('ui:station'), cell: ({ location }) => location.shortName },
    { key: 'outcome', title: t('outcome'), cell: outcomeOf },
  ]
}
