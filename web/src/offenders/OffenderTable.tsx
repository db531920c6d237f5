import { VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import type { list } from '@rogatka/contract/offenders.ts'
import type { OffenderSort } from '@rogatka/contract/options.ts'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatClock, formatDate, MISSING, useFormat } from '../core/format.ts'
import { SortHeader } from '../ui/SortHead.tsx'
import { StatusMark } from '../ui/StatusMark.tsx'
import stretched from '../ui/stretchedLink.module.css'
import base from '../ui/table.module.css'
import { useHiddenEdges } from '../ui/useHiddenEdges.ts'
import { Plate } from '../ui/vehicle/Plate.tsx'
import css from './Offenders.module.css'
import { levelOf, type OffenderSearch } from './search.ts'
import { useOutcomeText } from './useOffenderTexts.ts'
import { WeekBars } from './WeekBars.tsx'

type Row = WireOf<typeof list, 'response'>['content'][number]

type Props = {
  rows: readonly Row[]
  search: OffenderSearch
  /** Rank of the first row. */
  first: number
  /** The rows are those of the previous page, while the new page loads. */
  stale: boolean
  onSort: (column: OffenderSort) => void
}

type Column = {
  name: string
  sort?: OffenderSort
  right?: boolean
  cell: (row: Row, rank: number) => ReactNode
}

/** Table of vehicles or carriers; the link of a vehicle covers its row and opens its details. */
export function OffenderTable({ rows, search, first, stale, onSort }: Props) {
  const { t } = useTranslation('offenders')
  const scroller = useRef<HTMLDivElement>(null)
  const hiddenEdges = useHiddenEdges(scroller)
  const columns = useColumns(search)
  return (
    <div
      className={css.frame}
      data-cut-left={hiddenEdges.left || undefined}
      data-cut-right={hiddenEdges.right || undefined}
    >
      <div ref={scroller} className={css.scroller}>
        <table
          className={`${base.table} ${css.table}`}
          aria-label={t(`group-${search.groupBy ?? 'plate'}`)}
          aria-busy={stale}
        >
          <thead className={base.heads}>
            <tr>
              {columns.map(({ name, sort, right }) => (
                <SortHeader
                  key={name}
                  title={t(`column-${name}`)}
                  column={sort}
                  levels={[levelOf(search)]}
                  classNames={[css[name], right && css.right]}
                  onSort={() => sort && onSort(sort)}
                  single
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={row.vehicle?.id ?? row.carrier?.key} data-chosen={isChosen(row, search) || undefined}>
                {columns.map(({ name, right, cell }) => (
                  <td key={name} className={[css[name], right && css.right].filter(Boolean).join(' ') || undefined}>
                    {cell(row, first + index)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function useColumns(search: OffenderSearch): Column[] {
  const { number } = useFormat()
  const isPhone = useMediaQuery('(max-width: 600px)', false, { getInitialValueInEffect: false })
  const byCarrier = search.groupBy === 'carrier'
  const vehicle: Column = { name: 'plate', cell: (row) => <VehicleLink row={row} search={search} /> }
  const carrier: Column = {
    name: 'carrier',
    cell: (row) => (
      <span className={css.twoLines} title={row.carrier?.name}>
        {row.carrier?.name ?? MISSING}
      </span>
    ),
  }
  const carrierLink: Column = { name: 'carrierName', cell: (row) => <CarrierLink row={row} search={search} /> }
  const vehicles: Column = { name: 'vehicles', right: true, cell: (row) => number(row.vehicles) }
  return [
    { name: 'place', right: true, cell: (_, rank) => number(rank) },
    ...(byCarrier ? [carrierLink, vehicles] : isPhone ? [vehicle] : [vehicle, carrier]),
    { name: 'passages', right: true, cell: (row) => number(row.passages) },
    { name: 'overloads', sort: 'overloads', right: true, cell: (row) => number(row.overloads) },
    { name: 'share', sort: 'share', right: true, cell: ({ share }) => number(share, share < 10 ? 1 : 0) },
    { name: 'weeks', cell: (row) => <WeekBars weeks={row.weeks} /> },
    { name: 'worst', sort: 'worst', right: true, cell: ({ worst }) => `+${number(worst, 1)}` },
    {
      name: 'lastSeen',
      sort: 'lastSeen',
      right: true,
      cell: ({ lastSeen }) => (
        <>
          {formatDate(lastSeen)} <small>{formatClock(lastSeen)}</small>
        </>
      ),
    },
    // The figures first, which fit beside the plate.
    ...(isPhone && !byCarrier ? [carrier] : []),
    { name: 'inspections', cell: (row) => <Inspections row={row} /> },
  ]
}

const isChosen = ({ vehicle, carrier }: Row, search: OffenderSearch): boolean =>
  vehicle ? vehicle.id === search.id : carrier?.key === search.carrier

/** A link that covers its row and opens it in the panel. */
function RowLink({ row, search, children }: { row: Row; search: OffenderSearch; children: ReactNode }) {
  return (
    <Link
      to="/offenders"
      search={{ ...search, ...(row.vehicle ? { id: row.vehicle.id } : { carrier: row.carrier?.key }) }}
      className={stretched.link ?? ''}
      data-offender=""
      // All rows have the same path; the chosen one is marked here.
      activeOptions={{ exact: true, includeSearch: true }}
      {...(isChosen(row, search) && { 'aria-current': 'true' as const })}
    >
      {children}
    </Link>
  )
}

const CarrierLink = ({ row, search }: { row: Row; search: OffenderSearch }) => (
  <RowLink row={row} search={search}>
    <span className={css.twoLines}>{row.carrier?.name}</span>
  </RowLink>
)

function VehicleLink({ row, search }: { row: Row; search: OffenderSearch }) {
  const { t } = useTranslation('offenders')
  if (!row.vehicle) return null
  const { plate, country, joined } = row.vehicle
  return (
    <RowLink row={row} search={search}>
      <Plate plate={plate} nationality={country} size="s" unreadable={plate} />
      {joined > 0 && (
        <small className={css.joined} title={t('joined-hint')}>
          +{joined}
          <VisuallyHidden>{t('joined-hint')}</VisuallyHidden>
        </small>
      )}
      {row.offenderSince && (
        <small className={css.since}>{t('since-day', { day: formatDate(`${row.offenderSince}T12:00Z`) })}</small>
      )}
    </RowLink>
  )
}

function Inspections({ row: { inspections, lastInspection } }: { row: Row }) {
  const { t } = useTranslation('offenders')
  const { number } = useFormat()
  const outcomeText = useOutcomeText()
  if (!lastInspection)
    return (
      <span className={css.never}>
        <StatusMark status="attention" />
        {t('never')}
      </span>
    )
  const outcome = outcomeText(lastInspection)
  return (
    <>
      {number(inspections)}
      <small className={css.outcome} title={outcome}>
        {outcome}
      </small>
    </>
  )
}
