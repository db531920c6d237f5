import { VisuallyHidden } from '@mantine/core'
import type {
  WireHealthCell,
  WireMonthAvailability,
  WireStationAvailability,
  WireStationHealth,
} from '@rogatka/contract/tickets-health.ts'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MISSING } from '../core/format.ts'
import { useRight } from '../core/useSelf.ts'
import button from '../ui/bareButton.module.css'
import { StatusMark } from '../ui/StatusMark.tsx'
import base from '../ui/table.module.css'
import { DayBars } from './DayBars.tsx'
import css from './Health.module.css'
import { abnormalCells, type ShownCell } from './healthOrder.ts'
import { useHealthTexts } from './useHealthTexts.ts'

/** With more stations the rows are lower, so that twenty fit on a page. */
const HIGH_ROWS = 10

export type OnSelect = (station: number, kind: WireHealthCell['kind']) => void

type Props = {
  stations: readonly WireStationHealth[]
  /** Undefined while it is not known. */
  month: WireMonthAvailability | undefined
  shown: ShownCell | undefined
  isStale: boolean
  /** The pointer or the focus is in the table. */
  onBusy: (isBusy: boolean) => void
  onSelect: OnSelect
}

/** Marks what is not normal, besides its colour. */
const LevelMark = ({ level }: { level: WireHealthCell['level'] }) =>
  level === 'failure' || level === 'attention' ? (
    <StatusMark status={level === 'failure' ? 'malfunction' : 'attention'} />
  ) : null

/** Stations by check, with measured values; arrow keys move between cells. */
export function HealthMatrix({ stations, month, shown, isStale, onBusy, onSelect }: Props) {
  const { t } = useTranslation('tickets')
  const table = useRef<HTMLTableElement>(null)
  const [focusedCell, setFocusedCell] = useState({ station: stations[0]?.location.id, column: 0 })
  const row = Math.max(
    0,
    stations.findIndex(({ location }) => location.id === focusedCell.station),
  )
  const kinds = stations[0]?.cells.map(({ kind }) => kind) ?? []
  const move = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.row === undefined) return
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const [at, column] = [Number(event.target.dataset.row), Number(event.target.dataset.column)]
    const steps: Record<string, [row: number, column: number]> = {
      ArrowLeft: [at, column - 1],
      ArrowRight: [at, column + 1],
      ArrowUp: [at - 1, column],
      ArrowDown: [at + 1, column],
      Home: [at, 0],
      End: [at, kinds.length - 1],
    }
    const next = steps[event.key]
    if (!next) return
    event.preventDefault()
    table.current?.querySelector<HTMLElement>(`[data-row="${next[0]}"][data-column="${next[1]}"]`)?.focus()
  }
  const availability = new Map(month?.stations.map((station) => [station.location.id, station]))
  return (
    <div className={css.scroller}>
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move between its cells
        role="grid"
        className={`${base.table} ${css.matrix}`}
        aria-label={t('matrix')}
        data-dense={stations.length > HIGH_ROWS || undefined}
        data-stale={isStale || undefined}
        onKeyDown={move}
        onPointerEnter={() => onBusy(true)}
        onPointerLeave={() => onBusy(table.current?.contains(document.activeElement) ?? false)}
        onFocus={() => onBusy(true)}
        onBlur={({ relatedTarget }) => {
          if (!table.current?.contains(relatedTarget)) onBusy(table.current?.matches(':hover') ?? false)
        }}
      >
        <thead>
          <tr>
            <th scope="col">{t('ui:station')}</th>
            {kinds.map((kind) => (
              <th key={kind} scope="col">
                {t(`kind-${kind}`)}
              </th>
            ))}
            <th scope="col" className={css.daysHead}>
              {month && daysTitle(month, t)}
            </th>
            <th scope="col">{t('availability')}</th>
            <th scope="col">{t('ticket')}</th>
          </tr>
        </thead>
        <tbody>
          {stations.map((station, i) => (
            <Row
              key={station.location.id}
              station={station}
              index={i}
              focusColumn={i === row ? focusedCell.column : null}
              selected={shown?.station.location.id === station.location.id ? shown.cell.kind : null}
              availability={availability.get(station.location.id)}
              onFocus={(column) => setFocusedCell({ station: station.location.id, column })}
              onSelect={onSelect}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Translate = ReturnType<typeof useTranslation<'tickets'>>['t']

/** Dni 1–20.10 */
const daysTitle = ({ month, stations }: WireMonthAvailability, t: Translate): string => {
  const last = Math.max(0, ...stations.map(({ days }) => days.length))
  if (last === 0) return ''
  return t('days', { last: `${last}.${String(month).padStart(2, '0')}` })
}

type RowProps = {
  station: WireStationHealth
  index: number
  /** The cell that the Tab key reaches; null: in another row. */
  focusColumn: number | null
  selected: WireHealthCell['kind'] | null
  availability: WireStationAvailability | undefined
  onFocus: (column: number) => void
  onSelect: OnSelect
}

function Row({ station, index, focusColumn, selected, availability, onFocus, onSelect }: RowProps) {
  const { location, cells, level } = station
  const texts = useHealthTexts()
  return (
    <tr data-selected={selected !== null || undefined}>
      <th scope="row" data-level={level}>
        {location.shortName}
      </th>
      {cells.map((cell, column) => (
        <td key={cell.kind} data-level={cell.level}>
          <button
            type="button"
            className={`${button.bare} ${css.cell}`}
            data-row={index}
            data-column={column}
            data-cell={`${location.id} ${cell.kind}`}
            tabIndex={column === focusColumn ? 0 : -1}
            aria-label={texts.label({ station, cell })}
            aria-expanded={cell.kind === selected}
            onFocus={() => onFocus(column)}
            onClick={() => onSelect(location.id, cell.kind)}
          >
            <CellValue station={station} cell={cell} />
          </button>
        </td>
      ))}
      <td className={css.daysCell}>
        {availability && <DayBars days={availability.days} label={texts.days(availability.days)} />}
      </td>
      <td className={availability?.isBelowContract ? `${css.percent} ${css.underContract}` : css.percent}>
        {availability?.isBelowContract && <StatusMark status="malfunction" />}
        {availability ? texts.percent(availability.percent) : MISSING}
      </td>
      <td>
        <Tickets cells={cells} />
      </td>
    </tr>
  )
}

/** The measured value; lanes as small squares with their number. */
function CellValue({ station, cell }: ShownCell) {
  const { value } = useHealthTexts()
  if (cell.kind !== 'lane-silent')
    return (
      <>
        <LevelMark level={cell.level} />
        {value(cell)}
      </>
    )
  if (cell.level === 'unknown') return MISSING
  return (
    <>
      <LevelMark level={cell.level} />
      <span className={css.lanes} aria-hidden="true">
        {station.lanes.map(({ laneNumber, level }) => (
          <i key={laneNumber} data-lane={laneNumber} data-level={level} />
        ))}
      </span>
    </>
  )
}

function Tickets({ cells }: { cells: readonly WireHealthCell[] }) {
  const canOpen = useRight('Tickets')
  const tickets = cells.flatMap(({ failures }) => failures.flatMap(({ ticket }) => ticket ?? []))
  if (tickets.length === 0) return MISSING
  return (
    <span className={css.tickets}>
      {tickets.map(({ id, number }) =>
        canOpen ? (
          <Link key={id} to="/tickets/$id" params={{ id }}>
            {number}
          </Link>
        ) : (
          <span key={id}>{number}</span>
        ),
      )}
    </span>
  )
}

type ListProps = { stations: readonly WireStationHealth[]; isStale: boolean; onSelect: OnSelect }

/** What is not normal, on a phone. */
export function AbnormalList({ stations, isStale, onSelect }: ListProps) {
  const { t } = useTranslation('tickets')
  const { level, title } = useHealthTexts()
  const normal = stations.filter(({ level }) => level === 'normal').length
  return (
    <section className={css.list} aria-label={t('matrix')} data-stale={isStale || undefined}>
      <ul>
        {abnormalCells(stations).map((shown) => (
          <li key={`${shown.station.location.id} ${shown.cell.kind}`}>
            <button
              type="button"
              className={`${button.bare} ${css.item}`}
              data-level={shown.cell.level}
              data-cell={`${shown.station.location.id} ${shown.cell.kind}`}
              onClick={() => onSelect(shown.station.location.id, shown.cell.kind)}
            >
              <span>
                {title(shown)}
                <VisuallyHidden>{`, ${level(shown.cell)}, `}</VisuallyHidden>
              </span>
              <b className={css.value}>
                <CellValue {...shown} />
              </b>
            </button>
          </li>
        ))}
      </ul>
      <p className={css.normal}>{t('stations-normal', { count: normal })}</p>
    </section>
  )
}
