import type { ReactNode } from 'react'
import css from './ChartHead.module.css'

type Props = {
  title: string
  /** What the chart shows. */
  what: string
  /** At the right: of when, a menu. */
  children?: ReactNode
}

/** The head of a chart's panel. */
export const ChartHead = ({ title, what, children }: Props) => (
  <header className={css.head}>
    <h2>{title}</h2>
    <span className={css.what}>{what}</span>
    {children}
  </header>
)
