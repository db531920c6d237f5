import { Checkbox, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import css from './DataTable.module.css'
import { SortCaption, SortHead, sortedBy } from './SortHead.tsx'
import { type Direction, type Level, levelsAfterClick, type SortValue, sortRows } from './sortLevels.ts'
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
  /** Sorts by this value, in the browser or, with `order`, on the server, which ignores the value. */
  sortBy?: (row: R) => SortValue
  /** Direction of the first click; default: ascending. */
  first?: Direction
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

/** Order of a list that the server sorts. */
export type ServerOrder = {
  /** The columns that it can sort by. */
  columns: readonly string[]
  /** Undefined: the default order. */
  level: Level | undefined
  /** Undefined: back to the default order. */
  onChange: (level: Level | undefined) => void
}

/** Of a page of a list that has one order only: sorting the page alone would mislead. */
export const PAGE_ORDER: ServerOrder = { columns: [], level: undefined, onChange: () => {} }

type Props<R> = {
  label: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  keyOf: (row: R) => number
  selection?: Selection<R> | undefined
  /** Rows that stand out: wanted vehicles with the barrier, those worth a look, or faded ones. */
  toneOf?: ((row: R) => 'wanted' | 'attention' | 'faded' | undefined) | undefined
  /** The rows are those of the previous page, while the new page loads. */
  stale?: boolean
  /** The rows are a page of a list that the server sorts; without it they are the whole list. */
  order?: ServerOrder | undefined
}

/** Levels of sorting in the browser. */
const MAX_LEVELS = 3

/** Table with a sticky header whose columns sort; on phones each row is a card. */
export function DataTable<R>(props: Props<R>) {
  const { label, columns, keyOf, selection, toneOf, stale = false, order } = props
  const [ownLevels, setOwnLevels] = useState<readonly Level[]>([])
  const levels = order ? [order.level].filter((level) => level !== undefined) : ownLevels
  const columnOf = (key: string) => columns.find((column) => column.key === key)
  const rows = order ? props.rows : sortRows(props.rows, levels, (row, key) => columnOf(key)?.sortBy?.(row))
  const canSort = ({ key, sortBy }: Column<R>) => (order ? order.columns.includes(key) : sortBy !== undefined)
  const sort = ({ key, first = 'asc' }: Column<R>, isAdded: boolean) => {
    const next = levelsAfterClick(levels, { column: key, first, isAdded, maxLevels: order ? 1 : MAX_LEVELS })
    if (order) order.onChange(next[0])
    else setOwnLevels(next)
  }
  const totalShare = columns.reduce((sum, { share = 0 }) => sum + share, 0)
  return (
    <div className={css.container}>
      <table
        className={`${base.table} ${css.table} ${totalShare > 0 ? css.parted : ''}`}
        aria-label={label}
        aria-busy={stale}
      >
        {columns.some(canSort) && <SortCaption levels={levels} titleOf={(key) => columnOf(key)?.title ?? ''} />}
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
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={column.right ? css.right : undefined}
                {...sortedBy(levels, column.key)}
              >
                {canSort(column) ? (
                  <SortHead
                    title={column.title}
                    column={column.key}
                    levels={levels}
                    onSort={(isAdded) => sort(column, isAdded)}
                    single={order !== undefined}
                  />
                ) : (
                  <ColumnTitle {...column} />
                )}
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

const ColumnTitle = ({ title, plain }: { title: string; plain?: boolean | undefined }) =>
  plain ? <VisuallyHidden>{title}</VisuallyHidden> : title

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
