import { misreads, type WireMisreads } from '@rogatka/contract/wanted.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { useFormat } from '../core/format.ts'
import { useRight } from '../core/useSelf.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Notice } from '../ui/Notice.tsx'
import css from './Wanted.module.css'

const DAYS = 30

/** By lane, as each has a camera: hits of black lists, and those that users closed as misread. Needs the black list. */
export function Misreads() {
  const [allLists, blackList] = [useRight('WantedList'), useRight('BlackList')]
  return allLists || blackList ? <MisreadTable /> : null
}

function MisreadTable() {
  const { t } = useTranslation('wanted')
  const columns = useColumns()
  const [until] = useState(serverNow)
  const query = {
    dateTimeStart: new Date(until - DAYS * DAY_MS).toISOString(),
    dateTimeEnd: new Date(until).toISOString(),
  }
  const { data, error, refetch } = useQuery({
    queryKey: ['wanted', 'misreads', query],
    queryFn: ({ signal }) => call(misreads, { query, signal, background: true }),
    staleTime: 0,
  })
  const rows = data
    ?.filter((lane) => lane.misreads > 0)
    .toSorted((a, b) => b.misreads / b.hits - a.misreads / a.hits || b.misreads - a.misreads)
  return (
    <section className={css.latest} aria-label={t('misreads')}>
      <h2 className={css.heading}>
        {t('misreads')} <small>{t('misreads-days', { count: DAYS })}</small>
      </h2>
      {error && !data && <ErrorBanner error={error} title={t('misreads-failed')} retry={() => void refetch()} />}
      {rows?.length === 0 && <Notice kind="quiet">{t('no-misreads')}</Notice>}
      {rows && rows.length > 0 && (
        <DataTable label={t('misreads')} columns={columns} rows={rows} keyOf={(lane) => rows.indexOf(lane)} />
      )}
    </section>
  )
}

function useColumns(): Column<WireMisreads>[] {
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  return [
    { key: 'station', title: t('ui:station'), head: true, wide: true, cell: ({ location }) => location.shortName },
    { key: 'lane', title: t('ui:lane'), right: true, cell: ({ laneNumber }) => laneNumber },
    { key: 'hits', title: t('hits'), right: true, cell: ({ hits }) => number(hits) },
    { key: 'misreads', title: t('misread-count'), right: true, cell: (lane) => number(lane.misreads) },
    {
      key: 'share',
      title: t('misread-share'),
      right: true,
      cell: (lane) => `${number((100 * lane.misreads) / lane.hits)}\u00a0%`,
    },
  ]
}
