import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useHiddenEdges } from './useHiddenEdges.ts'
import { usePrinting } from './usePrinting.ts'
import css from './VirtualTable.module.css'

type VirtualColumn<R> = {
  /** Unique in the table. */
  key: string
  head: ReactNode
  cell: (row: R, index: number) => ReactNode
  /** Column total in the table footer. */
  foot?: ReactNode
}

type Props<R> = {
  label: string
  /** The first column names the row; all others are numbers. */
  columns: readonly VirtualColumn<R>[]
  rows: readonly R[]
  keyOf: (row: R) => string | number
  /** The last column is the row total. */
  summed?: boolean
  isRed?: (row: R) => boolean
}

/** Row height in px, as in the style sheet. */
const ROW_HEIGHT = 28
/** Rows are rendered in blocks of this size. */
const BLOCK_ROWS = 40
/** Longer tables are virtualised. */
const MAX_RENDERED_ROWS = 200

/**
 * Virtualised table of narrow rows with a sticky header and a sticky first column. Only rows near the viewport are
 * rendered; a shadow shows where columns are scrolled out of view.
 */
export function VirtualTable<R>({ label, columns, rows, keyOf, summed = false, isRed = () => false }: Props<R>) {
  const scroller = useRef<HTMLElement>(null)
  const [block, setBlock] = useState(0)
  const hiddenEdges = useHiddenEdges(scroller)
  const isPrinting = usePrinting()
  const isLong = rows.length > MAX_RENDERED_ROWS && !isPrinting
  // If a shorter table follows, the browser resets the scroll position itself.
  useEffect(() => {
    if (!isLong) setBlock(0)
  }, [isLong])

  const from = isLong ? Math.min(Math.max(0, (block - 1) * BLOCK_ROWS), rows.length) : 0
  const to = isLong ? Math.min(rows.length, (block + 2) * BLOCK_ROWS) : rows.length
  const updateBlock = () => isLong && setBlock(Math.floor((scroller.current?.scrollTop ?? 0) / ROW_HEIGHT / BLOCK_ROWS))
  const hasFoot = columns.some(({ foot }) => foot !== undefined)

  return (
    <div
      className={css.frame}
      data-cut-left={hiddenEdges.left || undefined}
      data-cut-right={hiddenEdges.right || undefined}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by keys */}
      <section ref={scroller} className={css.scroller} onScroll={updateBlock} tabIndex={0} aria-label={label}>
        <table
          className={summed ? `${css.table} ${css.summed}` : css.table}
          aria-label={label}
          aria-rowcount={rows.length + (hasFoot ? 2 : 1)}
        >
          <thead>
            <tr>
              {columns.map(({ key, head }) => (
                <th key={key} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          {from > 0 && <Spacer rows={from} columns={columns.length} />}
          <tbody>
            {rows.slice(from, to).map((row, at) => (
              <tr key={keyOf(row)} aria-rowindex={from + at + 2} data-red={isRed(row) || undefined}>
                {columns.map(({ key, cell }, column) =>
                  column === 0 ? (
                    <th key={key} scope="row">
                      {cell(row, from + at)}
                    </th>
                  ) : (
                    <td key={key}>{cell(row, from + at)}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
          {to < rows.length && <Spacer rows={rows.length - to} columns={columns.length} />}
          {hasFoot && (
            <tfoot>
              <tr aria-rowindex={rows.length + 2}>
                {columns.map(({ key, foot }, column) =>
                  column === 0 ? (
                    <th key={key} scope="row">
                      {foot}
                    </th>
                  ) : (
                    <td key={key}>{foot}</td>
                  ),
                )}
              </tr>
            </tfoot>
          )}
        </table>
      </section>
    </div>
  )
}

/** Spacer for rows that are not rendered. */
const Spacer = ({ rows, columns }: { rows: number; columns: number }) => (
  <tbody aria-hidden="true">
    <tr>
      <td colSpan={columns} style={{ height: rows * ROW_HEIGHT }} />
    </tr>
  </tbody>
)
