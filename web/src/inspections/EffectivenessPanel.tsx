import type { ReactNode } from 'react'
import { FigurePanel } from '../ui/FigurePanel.tsx'
import css from './Effectiveness.module.css'

type Props<T> = {
  title: string
  /** Right-aligned in the head. */
  note?: ReactNode
  result: { data: T | undefined; error: unknown; isFetching: boolean; refetch: () => unknown }
  children: (data: T) => ReactNode
}

/** A panel of the page. */
export const EffectivenessPanel = <T,>({ note, ...panel }: Props<T>) => (
  <FigurePanel
    {...panel}
    aside={note && <span className={css.note}>{note}</span>}
    skeleton={<TableSkeleton />}
    className={css.panel}
  />
)

/** Grey lines in place of a table. */
export const TableSkeleton = () => (
  <div className={css.skeleton} aria-hidden="true">
    {[1, 2, 3, 4, 5, 6].map((row) => (
      <i key={row} />
    ))}
  </div>
)
