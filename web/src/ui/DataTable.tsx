import { Checkbox, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './DataTable.module.css'

export type Column<R> = {
  /** Unique in the table. */
  key: string
  /** Column header; on phones the label before each value. */
  title: string
  /** The header is visually hidden, because the values need none. */
  plain?: boolean
  cell: (row: R) => ReactNode
  /** Right-aligned, for numbers. */
  right?: boolean
  /** Names the row: the heading of the card on phones. */
  head?: boolean
  /** On cards: before the other values, or hidden because the heading contains it. */
  onCard?: 'first' | 'hidden'
  /** Text that may wrap. */
  wide?: boolean
  /** Share of the table's width. If any column has one, the layout is fixed: content does not change widths. */
  part?: number
}

type Selection<R> = {
  chosen: ReadonlySet<number>
  onToggle: (row: R) => void
  /** Selects all rows of the page, or deselects them if all are selected. */
  onToggleAll: () => void
  /** False: the row cannot be selected. */
  may: (row: R) => boolean
  /** Label of the row's checkbox, for screen readers. */
  label: (row: R) => string
  allLabel: string
}

type Props<R> = {
  label: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  keyOf: (row: R) => number
  selection?: Selection<R> | undefined
  /** The rows are those of the previous page, while the new page loads. */
  stale?: boolean
}

/** Table with a sticky header; on phones each row is a card. */
export function DataTable<R>({ label, columns, rows, keyOf, selection, stale = false }: Props<R>) {
  const whole = columns.reduce((sum, { part = 0 }) => sum + part, 0)
  return (
    <div className={css.place}>
      <table className={whole > 0 ? `${css.table} ${css.parted}` : css.table} aria-label={label} aria-busy={stale}>
        {whole > 0 && (
          <colgroup>
            {columns.map(({ key, part = 0 }) => (
              <col key={key} style={{ width: `${(100 * part) / whole}%` }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {selection && (
              <th className={css.box}>
                <AllBox rows={rows} keyOf={keyOf} selection={selection} />
              </th>
            )}
            {columns.map(({ key, title, plain, right }) => (
              <th key={key} scope="col" className={right ? css.right : undefined}>
                {plain ? <VisuallyHidden>{title}</VisuallyHidden> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-chosen={selection?.chosen.has(keyOf(row)) || undefined}>
              {selection && (
                <td className={css.box}>
                  {selection.may(row) && (
                    <Checkbox
                      aria-label={selection.label(row)}
                      checked={selection.chosen.has(keyOf(row))}
                      onChange={() => selection.onToggle(row)}
                    />
                  )}
                </td>
              )}
              {columns.map((column) => (
                <Cell key={column.key} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cell<R>({ column: { title, plain, cell, right, head, wide, onCard }, row }: { column: Column<R>; row: R }) {
  const names = [right && css.right, head && css.head, wide && css.wide, onCard && css[onCard]]
    .filter(Boolean)
    .join(' ')
  return (
    <td className={names || undefined} data-title={plain ? undefined : title}>
      {cell(row)}
    </td>
  )
}

function AllBox<R>({
  rows,
  keyOf,
  selection,
}: Required<Pick<Props<R>, 'rows' | 'keyOf'>> & { selection: Selection<R> }) {
  const may = rows.filter(selection.may)
  const chosen = may.filter((row) => selection.chosen.has(keyOf(row))).length
  return (
    <Checkbox
      aria-label={selection.allLabel}
      label={<span className={css.all}>{selection.allLabel}</span>}
      checked={chosen > 0 && chosen === may.length}
      indeterminate={chosen > 0 && chosen < may.length}
      disabled={may.length === 0}
      onChange={selection.onToggleAll}
    />
  )
}
