import type { ReactNode } from 'react'
import css from './ChartHead.module.css'

type Props = {
  title: string
  /** Description of the chart. */
  what: string
  /** Right-aligned: date, menu. */
  children?: ReactNode
}

export const ChartHead = ({ title, what, children }: Props) => (
  <header className={css.head}>
    <h2>{title}</h2>
    <span className={css.what}>{what}</span>
    {children}
  </header>
)
