import { Checkbox, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './DataTable.module.css'
import base from './table.module.css'

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
  share?: number
}

type Selection<R> = {
  selected: ReadonlySet<number>
  onToggle: (row: R) => void
  /** Selects all rows of the page, or deselects them if all are selected. */
  onToggleAll: () => void
  /** False: the row cannot be selected. */
  canSelect: (row: R) => boolean
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
  /** Rows that stand out: wanted vehicles with the barrier, or faded ones. */
  toneOf?: ((row: R) => 'wanted' | 'faded' | undefined) | undefined
  /** The rows are those of the previous page, while the new page loads. */
  stale?: boolean
}

/** Table with a sticky header; on phones each row is a card. */
export function DataTable<R>({ label, columns, rows, keyOf, selection, toneOf, stale = false }: Props<R>) {
  const totalShare = columns.reduce((sum, { share = 0 }) => sum + share, 0)
  return (
    <div className={css.container}>
      <table
        className={`${base.table} ${css.table} ${totalShare > 0 ? css.parted : ''}`}
        aria-label={label}
        aria-busy={stale}
      >
        {totalShare > 0 && (
          <colgroup>
            {columns.map(({ key, share = 0 }) => (
              <col key={key} style={{ width: `${(100 * share) / totalShare}%` }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {selection && (
              <th className={css.box}>
                <SelectAllCheckbox rows={rows} keyOf={keyOf} selection={selection} />
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
            <tr
              key={keyOf(row)}
              data-selected={selection?.selected.has(keyOf(row)) || undefined}
              data-tone={toneOf?.(row)}
            >
              {selection && (
                <td className={css.box}>
                  {selection.canSelect(row) && (
                    <Checkbox
                      aria-label={selection.label(row)}
                      checked={selection.selected.has(keyOf(row))}
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

function SelectAllCheckbox<R>({
  rows,
  keyOf,
  selection,
}: Required<Pick<Props<R>, 'rows' | 'keyOf'>> & { selection: Selection<R> }) {
  const selectable = rows.filter(selection.canSelect)
  const selected = selectable.filter((row) => selection.selected.has(keyOf(row))).length
  return (
    <Checkbox
      aria-label={selection.allLabel}
      label={<span className={css.all}>{selection.allLabel}</span>}
      checked={selected > 0 && selected === selectable.length}
      indeterminate={selected > 0 && selected < selectable.length}
      disabled={selectable.length === 0}
      onChange={selection.onToggleAll}
    />
  )
}
