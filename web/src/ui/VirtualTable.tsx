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
  /** Header above this and the neighbouring columns with the same one, which a line sets apart. */
  group?: string
  /** Left-aligned. */
  isText?: boolean
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

/** Neighbouring columns with the same group header. */
function groupsOf<R>(columns: readonly VirtualColumn<R>[]): { key: string; group: string | undefined; span: number }[] {
  const groups: ReturnType<typeof groupsOf<R>> = []
  for (const { key, group } of columns) {
    const last = groups.at(-1)
    if (last && last.group === group) last.span++
    else groups.push({ key, group, span: 1 })
  }
  return groups
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
  const groups = groupsOf(columns)
  const hasGroups = groups.some(({ group }) => group)
  const headRows = hasGroups ? 2 : 1
  const isFirstOfGroup = (key: string) => hasGroups && groups.some((group, at) => at > 0 && group.key === key)
  const classOf = ({ key, isText }: VirtualColumn<R>) =>
    [isText && css.text, isFirstOfGroup(key) && css.first].filter(Boolean).join(' ') || undefined

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
          aria-rowcount={rows.length + headRows + (hasFoot ? 1 : 0)}
        >
          <thead>
            {hasGroups && (
              <tr className={css.groups}>
                {groups.map(({ key, group, span }, at) =>
                  group ? (
                    <th key={key} scope="colgroup" colSpan={span} className={at > 0 ? css.first : undefined}>
                      {group}
                    </th>
                  ) : (
                    <td key={key} colSpan={span} className={at > 0 ? css.first : undefined} />
                  ),
                )}
              </tr>
            )}
            <tr>
              {columns.map((column) => (
                <th key={column.key} scope="col" className={classOf(column)}>
                  {column.head}
                </th>
              ))}
            </tr>
          </thead>
          {from > 0 && <Spacer rows={from} columns={columns.length} />}
          <tbody>
            {rows.slice(from, to).map((row, at) => (
              <tr key={keyOf(row)} aria-rowindex={from + at + 1 + headRows} data-red={isRed(row) || undefined}>
                {columns.map((column, index) =>
                  index === 0 ? (
                    <th key={column.key} scope="row">
                      {column.cell(row, from + at)}
                    </th>
                  ) : (
                    <td key={column.key} className={classOf(column)}>
                      {column.cell(row, from + at)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
          {to < rows.length && <Spacer rows={rows.length - to} columns={columns.length} />}
          {hasFoot && (
            <tfoot>
              <tr aria-rowindex={rows.length + 1 + headRows}>
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
