import type { ReactNode } from 'react'
import css from './PageTabs.module.css'

type Props = {
  /** For screen readers. */
  label: string
  /** Links; that of the open page has `aria-current`. */
  children: ReactNode
}

/** Text tabs of pages that belong together, in the bar of each of them. */
export const PageTabs = ({ label, children }: Props) => (
  <nav className={css.tabs} aria-label={label}>
    {children}
  </nav>
)
