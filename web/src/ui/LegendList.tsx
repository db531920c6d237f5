import type { ReactNode } from 'react'
import css from './LegendList.module.css'

/** Legend: one item per mark or line, mark first. */
export const LegendList = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={css.legend} aria-label={label}>
    {children}
  </ul>
)
