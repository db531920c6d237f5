import type { ReactNode } from 'react'
import { FigurePanel } from '../ui/FigurePanel.tsx'
import css from './Traffic.module.css'
import type { Result } from './useTraffic.ts'

type Props<T> = {
  title: string
  /** Beside the title: unit and bin. */
  note?: string
  aside?: ReactNode
  result: Result<T>
  children: (data: T) => ReactNode
}

/** A panel with a chart or table. */
export const Panel = <T,>({ aside, ...panel }: Props<T>) => (
  <FigurePanel
    {...panel}
    aside={aside && <span className={css.aside}>{aside}</span>}
    skeleton={<div className={css.skeleton} aria-hidden="true" />}
    className={css.panel}
  />
)
