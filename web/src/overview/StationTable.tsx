import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import { TicketCount } from './Figures.tsx'
import { StationConnection } from './StationConnection.tsx'
import css from './StationTable.module.css'
import type { OverviewRow } from './useOverview.ts'
import { SIGN_MARKS, useOverviewTexts } from './useOverviewTexts.ts'

/** All stations in a table, with the same figures as the strips. */
export function StationTable({ rows, isStale }: { rows: readonly OverviewRow[]; isStale: boolean }) {
  const { t } = useTranslation('overview')
  return <DataTable label={t('ui:stations')} columns={useColumns(isStale)} rows={rows} keyOf={({ id }) => id} />
}

function useColumns(isStale: boolean): Column<OverviewRow>[] {
  const { t } = useTranslation('overview')
  const { number } = useFormat()
  const { signState, signCount } = useOverviewTexts()
  return [
    {
      key: 'station',
      title: t('ui:station'),
      head: true,
      share: 19,
      sortBy: ({ location }) => location.shortName,
      cell: ({ id, location, alarm }) => (
        <span className={css.signs}>
          {(alarm === 'high' || alarm === 'medium') && (
            <StatusMark
              status={alarm === 'high' ? 'malfunction' : 'attention'}
              label={t(alarm === 'high' ? 'alarm-high' : 'alarm-medium')}
            />
          )}
          <Link to="/" search={{ step: 3, locations: [id] }} className={css.station}>
            {location.shortName}
          </Link>
        </span>
      ),
    },
    { key: 'data', title: t('data'), share: 16, cell: (row) => <StationConnection row={row} isStale={isStale} /> },
    {
      key: 'per-hour',
      title: t('per-hour'),
      right: true,
      share: 13,
      first: 'desc',
      sortBy: ({ condition }) => condition.perHour.vehicles,
      cell: ({ condition: { perHour } }) => (
        <>
          <span className={perHour.unusual ? css.unusual : undefined}>
            {perHour.unusual && <StatusMark status="attention" label={t(`traffic-${perHour.unusual}`)} />}
            {number(perHour.vehicles)}
          </span>
          <Usual value={number(perHour.usual?.median ?? null)} />
        </>
      ),
    },
    {
      key: 'overloaded',
      title: t('overloaded-percent'),
      right: true,
      share: 13,
      first: 'desc',
      sortBy: ({ condition }) => condition.overloaded.percent,
      cell: ({ condition: { overloaded } }) => (
        <>
          {number(overloaded.percent, 1)}
          <Usual value={number(overloaded.usual, 1)} />
        </>
      ),
    },
    {
      key: 'wanted',
      title: t('wanted'),
      right: true,
      share: 11,
      first: 'desc',
      sortBy: ({ condition }) => condition.wanted,
      cell: ({ condition: { wanted } }) => (wanted ? <b className={css.chip}>{number(wanted)}</b> : number(wanted)),
    },
    {
      key: 'tickets',
      title: t('tickets'),
      right: true,
      share: 11,
      first: 'desc',
      sortBy: ({ condition }) => condition.tickets,
      cell: (row) => <TicketCount row={row} />,
    },
    {
      key: 'signs',
      title: t('signs'),
      share: 19,
      cell: ({ condition: { signs } }) =>
        signs && (
          <span className={css.signs}>
            <StatusMark status={isStale ? 'unknown' : SIGN_MARKS[signs.state]} />
            <span>
              {signState(signs)}, {signCount(signs)}
            </span>
          </span>
        ),
    },
  ]
}

function Usual({ value }: { value: string }) {
  const { t } = useTranslation('overview')
  return <small className={css.usual}>{t('usually', { value })}</small>
}
