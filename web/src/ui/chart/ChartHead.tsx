import type { ReactNode } from 'react'
import css from './ChartHead.module.css'

type Props = {
  title: string
  /** Description of the chart. */
  description: string
  /** Right-aligned: date, menu. */
  children?: ReactNode
}

export const ChartHead = ({ title, description, children }: Props) => (
  <header className={css.head}>
    <h2>{title}</h2>
    <span className={css.description}>{description}</span>
    {children}
  </header>
)
