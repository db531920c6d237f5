import type { ReactNode } from 'react'
import css from './LegendList.module.css'

/** What marks or lines mean: an item for each, its mark first. */
export const LegendList = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={css.legend} aria-label={label}>
    {children}
  </ul>
)
